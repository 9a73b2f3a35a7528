/** What a command changes or destroys elsewhere: in a database, a cloud, a container, a registry. */
import { isRemote, operands, optionValues } from "./paths.ts";
import { CONTAINERS, DATABASES, INTERPRETERS, PACKAGERS, REMOTES } from "./programs.ts";
import type { Judged } from "./rules.ts";
import type { ShellCommand } from "./scope.ts";

const verbs = (...lines: string[]) => new RegExp(`^(${lines.join(" ").replaceAll(" ", "|")})$`, "i");

/** They destroy or publish, whatever the tool. */
const DESTROYS = verbs(
  "delete destroy drop reset purge flush fresh refresh wipe truncate publish unpublish deprecate yank deploy downgrade undo",
  "rollback terminate erase revert nuke zero",
);
/** They do so with a tool for something remote, and are ordinary with others. */
const REMOVES = verbs(
  "rm remove rb prune push kill uninstall apply patch replace drain cordon evict taint scale upgrade merge put update modify",
  "stop restart cancel revoke detach deregister disable down set mb mv rotate promote transfer up",
);
/** They say that nothing is lost. */
const READS = verbs(
  "get list ls describe show view logs? log status diff plan preview ps inspect images info search tests? build template lint",
  "fmt validate version help history explain top wait config login auth generate studio dev start init checkout comment pack",
  "doctor emulators format open import install ci add new",
);

/** The first verb among the words decides: `kubectl delete pod x`, `docker logs reset-job`, `rails db:reset`. */
function does({ name, args }: ShellCommand, tools: Set<string>, ...destroys: RegExp[]): boolean {
  if (!tools.has(name)) return false;
  for (const word of operands(args).slice(0, 6)) {
    if (READS.test(word)) return false;
    const parts = /[\s/=]/.test(word) ? [] : word.split(/[^a-zA-Z]+|(?<=[a-z])(?=[A-Z])/);
    if (parts.some((part) => /^(tests?|describe|list|get|status|make|generate)$/.test(part))) return false;
    if (parts.some((part) => destroys.some((verb) => verb.test(part)))) return true;
  }
  return false;
}

const PUBLISHES =
  /^(gem push|twine upload|(dotnet )?nuget (push|delete)|npm (owner|access|dist-tag) (add|rm|set)|pod trunk push|(conan|luarocks) upload|semantic-release|release-it|(npm|pnpm|yarn|bun) (run )?release)\b/;

/** Publishes a package, or runs a script of the project that by its name destroys or deploys. */
export function publishes({ command, told }: Judged): boolean {
  return does(command, PACKAGERS, DESTROYS) || PUBLISHES.test(told);
}

const CHANGES =
  /^((gh|glab) (repo|gist|release|snippet) (create|edit|rename|archive|upload|transfer)|gh (secret|variable) set|gh workflow (run|enable)|gh pr close|helm install|aws ec2 run-|ansible(-playbook)? )/;

/** Changes something remote for good; also by `curl -X DELETE` and the like. */
export function changesRemote({ command, told }: Judged): boolean {
  if (CHANGES.test(told) || does(command, REMOTES, DESTROYS, REMOVES)) return true;
  if (REMOTES.has(command.name) && / --(delete|prod)( |$)/.test(told)) return true;
  if (!/^(g[hl]\w* api|curl|wget|https?|xh) /.test(told) || isLocal(command)) return false;
  const mutation = /\bmutation\b.*\{/s.test([...command.args, command.input].join(" "));
  return mutation || /( -X ?|--request[ =]|--method[ =]|^(https?|xh) )(DELETE|PUT|PATCH)\b/i.test(told);
}

const LOCAL =
  /^(\w+:\/\/)?([^/@]*@)?(localhost|127\.[\d.]+|0\.0\.0\.0|\[::1?\]|host\.docker\.internal|[\w-]+\.localhost)?(:[\d$]\w*)?(\/|$)/;

function isLocal({ args }: ShellCommand): boolean {
  const urls = args.filter((arg) => /^\w+:\/\/|^(localhost|127\.|0\.0\.0\.0|\[::|:\d)/.test(arg));
  return urls.length > 0 && urls.every((url) => LOCAL.test(url));
}

/** Sends a file, or what it is given, to another machine. */
export function sendsFiles({ command, told }: Judged): boolean {
  const { name, args, piped, input } = command;
  if (/^(scp|rsync)$/.test(name)) return isRemote(operands(args).at(-1) ?? "");
  if (/^(nc|ncat|netcat|socat|telnet|s?ftp) /.test(told))
    return !/ -(z|l|h)\b/.test(told) || piped === true || input !== undefined;
  if (/^(aws|gsutil|rclone|gcloud|s3cmd) .*\b(cp|mv|sync|copy|put) .*\w+:\S*$/.test(told)) return true;
  if (!/^(curl|wget)$/.test(name) || isLocal(command)) return false;
  const sent = optionValues(args, /^(?:-d|--data(?:-\w+)?|--json)(?:=(.+))?$/);
  return (
    sent.some((value) => value.startsWith("@")) || / (-d@|-T|--upload-file|--(post|body)-file|\w+=[@<])/.test(told)
  );
}

const QUERIES =
  /^(psql|mysql|mariadb|sqlite3?|mongo(sh)?|redis-cli|duckdb|cqlsh|sqlcmd|clickhouse(-client)?|bq|[pm]ycli|pgcli|cockroach|influx|cypher-shell|wrangler|turso|supabase|prisma|snowsql|trino)$/;
const SQL =
  /\b(drop\s+(database|table|schema|index|view|column|user|role|keyspace|materialized|function|trigger|type|owned)\b|truncate\b|delete\s+from\b|update\s+[\w."`]+\s+set\b(?![^;]*\bwhere\b))/i;
const QUERY =
  /\b(flush(all|db)\b|drop(database|index(es)?|collection)?\s*\(|(delete|remove)(many|one)?\s*\(|detach\s+delete)/i;
const CODE =
  /\b(delete_?all|destroy_?all|truncate|deleteMany|drop\w*)\b|\.delete\(|migrate:(fresh|reset|refresh)|db:(wipe|drop|reset)/i;

/** Destroys what is in a database: by a query, or with a tool that knows its shape. */
export function destroysData({ command, told }: Judged): boolean {
  const { name, args, input } = command;
  const text = [...args, input].join(" ");
  if (QUERIES.test(name) && (QUERY.test(text) || SQL.test(text))) return true;
  if (INTERPRETERS.test(name) && /execute|query|raw/i.test(text) && SQL.test(text)) return true;
  if (
    /^(dropdb|dropuser|.*--(force-reset|accept-data-loss)( |$)|.*\b(drizzle-kit |db:)push .*--force|redis-cli .*\b(del|unlink)\b)/i.test(
      told,
    )
  )
    return true;
  const code = DATABASES.has(name) && args.some((arg) => /[(:.]/.test(arg) && CODE.test(arg));
  return code || does(command, DATABASES, DESTROYS, /^(clean|load)$/);
}

/** Removes containers, their data or what they are made of. */
export function removesContainers({ command, told }: Judged): boolean {
  if (CONTAINERS.has(command.name) && / down .*(-v|--volumes|--rmi)\b| --push( |$)| (stop|kill) .*(\$\(|`)/.test(told))
    return true;
  return does(command, CONTAINERS, DESTROYS, /^(rmi?|remove|prune|push)$/);
}
