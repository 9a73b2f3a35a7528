/** What is known of programs by their names. Of all others the gate assumes that they run the command among their words. */
const names = (...lines: string[]) => new Set(lines.join(" ").split(" "));

/** What they are told is data for them, whatever it looks like. */
export const READERS = names(
  "echo printf grep egrep fgrep zgrep rg ag ack sed gsed awk gawk cat head tail less more bat ls tree stat file du df wc > <",
  "sort uniq cut tr tee touch mkdir rmdir cp mv ln rm unlink install rsync scp chmod chown chgrp diff cmp comm join paste dd",
  "test [ cd pushd popd which whereis type hash man info help tldr whatis apropos export declare local readonly typeset set",
  "unset read shopt true false : pwd date jq yq tar zip unzip gzip curl wget http xh ps pgrep pkill killall lsof kill sleep",
  "basename dirname realpath readlink code vim nano emacs open xdg-open tsc eslint prettier biome vitest jest pytest mocha",
  "gcc clang rustc javac psql mysql mariadb mongosh sqlite3 shred truncate apt-cache apt apt-get brew seq xxd od strings",
  "return exit whoami id uname history getopts let crontab nl tac rev fzf vagrant virsh",
);

/** Their first word that is no option is the command, or a text with one. */
export const WRAPPERS = names(
  "env nohup nice ionice chrt taskset timeout gtimeout time stdbuf setsid unbuffer exec command builtin xargs watch parallel",
  "ssh busybox toybox caffeinate flock script setpriv strace valgrind chroot gosu npx bunx pnpx uvx cross-env corepack",
);

export const SHELLS = names("sh bash zsh dash ksh ash csh tcsh fish nu pwsh powershell iex invoke-expression");
export const INTERPRETERS = /^(python|pypy|node|perl|ruby|php|deno|bun|tsx|ts-node)[\d.]*$/;
export const DELETERS = names("rm unlink shred srm rimraf trash");
export const CONTAINERS = names("docker podman nerdctl docker-compose podman-compose");

/** Tools for what is not on this machine: clouds, clusters, forges, phones. */
export const REMOTES = names(
  "aws gcloud gsutil bq az doctl linode-cli hcloud eksctl kubectl oc helm argocd flux gh glab terraform tofu terragrunt",
  "pulumi cdk sam serverless sls heroku fly flyctl vercel netlify wrangler firebase supabase railway render neonctl turso",
  "pscale atlas stripe rclone s3cmd mc adb simctl eas amplify sst eb nomad consul vault pm2 surge convex xcrun",
);

/** Tools for databases and their shape, many of them commands of a framework. */
export const DATABASES = names(
  "prisma drizzle-kit sequelize sequelize-cli knex typeorm mikro-orm alembic flask rails rake artisan console symfony mix",
  "django-admin manage.py ef flyway liquibase dbmate goose migrate diesel sqlx dropdb dropuser mysqladmin redis-cli drush",
);

/** Package managers and task runners: they publish, and run the project's own scripts by name. */
export const PACKAGERS = names(
  "npm pnpm yarn bun lerna nx turbo cargo gem bundle twine poetry uv hatch flit pip pip3 pipenv pdm rye conda mvn gradle",
  "gradlew sbt dotnet nuget dart flutter vsce ovsx composer luarocks conan go make just task rush changeset swift pod mise",
);

const OTHERS = names(
  "git find xargs kill pkill killall fuser chmod chown mv cp tee dd curl wget rsync scp truncate crontab psql mysql sqlite3",
  "mongosh systemctl launchctl wipefs diskutil ssh eval env timeout nohup sudo sudoedit doas su pkexec run0",
);

/** Tools take their words as data up to a word like `exec`. */
export const isTool = (name: string) =>
  name === "git" || [CONTAINERS, REMOTES, DATABASES, PACKAGERS].some((set) => set.has(name));

/** Do the rules speak of a program? Words behind a program that is not known may be a command if they begin with one. */
export const isRisky = (name: string) =>
  [SHELLS, DELETERS, OTHERS].some((set) => set.has(name)) ||
  isTool(name) ||
  name.startsWith("mkfs") ||
  INTERPRETERS.test(name);
