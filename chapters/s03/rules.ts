/** The rules for shell commands: what is never run, what is asked about. Everything else runs. */
import { both, either, has, named, not, operands, operandsOf, says } from "./matchers.ts";
import { holdsHome, isDevice, mayWrite, pathsWritten, type Place } from "./paths.ts";
import { commandsIn, type ShellCommand } from "./shell-commands.ts";
import { isKnown } from "./shell-words.ts";
import { isMode } from "./writes.ts";

/** What stands against a command. */
export interface Finding {
  verdict: "deny" | "ask";
  /** The name of the rule: what "allow for the session" opens. */
  rule: string;
  /** For people: what and why, as in "deletes files: rm notes.txt". */
  reason: string;
}

interface Rule {
  verdict: "deny" | "ask";
  name: string;
  /** Completes "This command …". */
  why: string;
  matches: (command: ShellCommand, place: Place) => boolean;
}

const DELETES = either(
  named("rm", "rmdir", "unlink", "shred", "srm", "rimraf"),
  says("git rm -f", "pnpm rimraf", "yarn rimraf", "bun rimraf"),
  says("cmake -E rm", "cmake -E remove", "cmake -E remove_directory"),
);

/** From the worst to the mildest. A command may fall under several. */
const RULES: Rule[] = [
  {
    verdict: "deny",
    name: "delete everything",
    why: "deletes the whole disk or home folder",
    matches: (command, place) =>
      DELETES(command) &&
      (has("--no-preserve-root")(command) || operands(command.args).some((path) => holdsHome(path, command, place))),
  },
  {
    verdict: "deny",
    name: "administrator",
    why: "takes administrator rights",
    matches: named("sudo", "sudoedit", "doas", "su", "pkexec", "run0"),
  },
  {
    verdict: "deny",
    name: "shut down",
    why: "stops the machine",
    matches: either(
      named("shutdown", "reboot", "halt", "poweroff"),
      says("init 0", "init 1", "init 6", "telinit 0", "telinit 1", "telinit 6"),
      says("systemctl reboot", "systemctl poweroff", "systemctl halt", "systemctl kexec", "systemctl soft-reboot"),
      says("systemctl suspend", "systemctl hibernate", "systemctl rescue", "systemctl emergency"),
      says("loginctl reboot", "loginctl poweroff", "loginctl halt", "systemctl isolate", "kexec -e"),
    ),
  },
  {
    verdict: "deny",
    name: "format a disk",
    why: "erases a disk",
    matches: either(
      ({ name }) => /^(mkfs|newfs)([._]|$)/.test(name),
      named("mke2fs", "mkdosfs", "mkntfs", "mkswap", "wipefs", "blkdiscard"),
      says("badblocks -w", "hdparm --security-erase", "nvme format", "nvme sanitize"),
      says("cryptsetup luksFormat", "diskutil eraseDisk", "diskutil eraseVolume", "diskutil zeroDisk"),
    ),
  },
  {
    verdict: "deny",
    name: "write to a device",
    why: "writes to a disk or to the kernel",
    matches: (command, place) => pathsWritten(command, place).some(isDevice),
  },
  { verdict: "deny", name: "fork bomb", why: "starts itself without end", matches: ({ forks }) => forks },

  {
    verdict: "ask",
    name: "unknown program",
    why: "runs a program that is only known when it runs",
    matches: ({ name }) => !isKnown(name) || /\s/.test(name),
  },
  {
    verdict: "ask",
    name: "unseen script",
    why: "runs a script that nobody has seen",
    matches: ({ inner }) => inner.includes("unseen"),
  },
  {
    verdict: "ask",
    name: "delete files",
    why: "deletes files",
    matches: either(
      DELETES,
      both(named("rsync"), not(has("-n", "--dry-run")), ({ args }) => args.some((arg) => arg.startsWith("--del"))),
    ),
  },
  {
    verdict: "ask",
    name: "write outside the workspace",
    why: "may write outside the workspace",
    matches: (command, place) => pathsWritten(command, place).some((path) => !mayWrite(path, place)),
  },
  {
    verdict: "ask",
    name: "open permissions",
    why: "lets others write, or run as the owner",
    matches: both(named("chmod"), ({ args }) => args.filter(isMode).slice(0, 1).some(isOpenMode)),
  },
  { verdict: "ask", name: "change owners", why: "changes owners", matches: says("chown -R", "chgrp -R") },
  {
    verdict: "ask",
    name: "git force push",
    why: "overwrites what others have",
    matches: either(
      says("git push -f", "git push -d", "git push --force-with-lease", "git push --mirror", "git push --prune"),
      both(says("git push"), (git) => operandsOf(git).some((refspec) => /^[+:]./.test(refspec))),
    ),
  },
  { verdict: "ask", name: "git push", why: "publishes commits", matches: says("git push") },
  {
    verdict: "ask",
    name: "discard changes",
    why: "throws away work that is not committed",
    matches: either(
      says("git reset --hard", "git clean -f", "git stash drop", "git stash clear", "git worktree remove -f"),
      says("git checkout -f", "git checkout --ours", "git checkout --theirs", "git checkout-index -f"),
      says("git switch -f", "git switch --discard-changes"),
      both(says("git checkout"), not(has("-b", "-B", "-t", "--orphan")), takesPaths),
      both(says("git restore"), either(not(has("-S")), has("-W"))),
    ),
  },
  {
    verdict: "ask",
    name: "rewrite history",
    why: "throws away commits",
    matches: either(
      says("git branch -D", "git branch -d -f", "git update-ref -d", "git tag -d"),
      says("git filter-branch", "git filter-repo", "git reflog expire", "git reflog delete", "git gc --prune"),
    ),
  },
  {
    verdict: "ask",
    name: "publish",
    why: "publishes or deploys",
    matches: either(
      says("npm publish", "npm unpublish", "pnpm publish", "yarn publish", "yarn npm publish", "bun publish"),
      says("cargo publish", "gem push", "twine upload", "poetry publish", "uv publish", "mvn deploy", "docker push"),
      says("gh release create", "gh release delete", "gh repo create", "gh repo delete", "gh pr merge"),
      says("terraform apply", "terraform destroy", "pulumi up", "pulumi destroy", "cdk deploy", "cdk destroy"),
      says("kubectl delete", "kubectl drain", "helm uninstall", "helm delete", "aws s3 rm", "aws s3 rb", "gsutil rm"),
      says("fly deploy", "netlify deploy", "vercel --prod", "heroku apps:destroy"),
    ),
  },
  {
    verdict: "ask",
    name: "remove volumes",
    why: "removes the data of containers",
    matches: either(
      ...["docker", "podman"].map((program) =>
        says(
          `${program} system prune`,
          `${program} volume rm`,
          `${program} volume prune`,
          `${program} compose down -v`,
        ),
      ),
      says("docker-compose down -v", "docker image prune -a", "podman system reset"),
    ),
  },
  {
    verdict: "ask",
    name: "open container",
    why: "gives a container the whole machine",
    matches: both(says("docker run", "docker container run", "podman run", "podman container run"), ({ args }) =>
      args.some((arg) => /^--privileged(?!=false$)|^(-\w*v=?|--volume=)?\/+:|(src|source)=\/+(,|$)/.test(arg)),
    ),
  },
  {
    verdict: "ask",
    name: "destroy data",
    why: "destroys data",
    matches: either(
      says("dropdb", "mysqladmin drop", "rails db:drop", "rake db:drop", "prisma migrate reset"),
      both(named("psql", "mysql", "mariadb", "sqlite3", "mongo", "mongosh", "redis-cli"), ({ args, input }) =>
        DESTRUCTIVE_QUERY.test([...args, input].join(" ")),
      ),
    ),
  },
  {
    verdict: "ask",
    name: "end processes",
    why: "may end processes of others",
    matches: either(
      named("killall", "killall5", "pkill"),
      both(named("kill"), ({ args }) => args.slice(1).includes("-1") || args.at(-1) === "1"),
    ),
  },
  {
    verdict: "ask",
    name: "change the machine",
    why: "changes settings of the machine",
    matches: both(
      named("crontab", "useradd", "userdel", "usermod", "passwd", "visudo", "mount", "umount", "modprobe", "insmod"),
      ({ args }) => args.length > 0,
      not(has("-l")),
    ),
  },
];

const DESTRUCTIVE_QUERY =
  /\b(drop\s+(database|table|schema)|truncate\s|delete\s+from\s+[\w."]+\s*(;|$)|flushall|flushdb|drop(Database)?\()/i;

/** Does `git checkout` put back files, and not go to a branch: `.`, `:/`, `src/`, `*.ts`, `package.json`, `main a`? */
function takesPaths(git: ShellCommand): boolean {
  const [, ...words] = operandsOf(git);
  return words.length > 1 || git.args.includes("--") || words.some((word) => /^[.:]|\/$|[*?[]|\.[a-z]\w+$/i.test(word));
}

/** Does a mode of `chmod` let others write (777, o+w), or set the owner's rights on a program (4755, u+s)? One that is not known may. */
function isOpenMode(mode: string): boolean {
  if (!isKnown(mode)) return true;
  if (/^[0-7]+$/.test(mode)) return /[2367]$/.test(mode) || /^0*[2-7]\d{3}$/.test(mode);
  return mode.split(",").some((clause) => /^[ug]*[oa][ugoa]*[+=][rxXst]*w|[+=][rwxX]*s/.test(clause));
}

/** What the rules say of a command line, denials first; nothing: it may run. Never throws. */
export function judgeCommand(line: string, place: Place): Finding[] {
  const { commands, problems } = commandsIn(line, place);
  const findings = new Map<string, Finding>();
  const add = (verdict: Finding["verdict"], rule: string, reason: string) =>
    findings.set(`${rule} ${reason}`, { verdict, rule, reason });

  for (const { verdict, name, why, matches } of RULES) {
    for (const command of commands) {
      if (matches(command, place)) add(verdict, name, `${why}: ${[command.name, ...command.args].join(" ")}`);
    }
  }
  if (problems.length > 0) add("ask", "unreadable command", `cannot be read: ${problems.join(", ")}`);
  return [...findings.values()];
}
