/** Commands that run other commands (`env`, `xargs`, `sh -c`, `find -exec` …), and what they run. */

import { operandsOf } from "./matchers.ts";

/** What a command runs: another command, a script, or one that nobody can see before it runs. */
export type Inner = { words: string[] } | { script: string } | "unseen";

/** What is needed of a command to know what it runs. */
export interface Outer {
  name: string;
  args: string[];
  /** Text given to it on standard input by a here-document or a here-string. */
  input: string | undefined;
  /** Does it read from a pipe? */
  piped: boolean;
}

/** How the command line of a wrapper begins, up to the command it runs. */
interface Wrapper {
  /** Options whose value is a word of its own. */
  values?: string;
  /** Words of the wrapper's own before the command, as in `timeout 10 make`. */
  operands?: number;
  /** May `NAME=value` come before the command? */
  assignments?: boolean;
}

const PREFIXES = new Map<string, Wrapper>(
  Object.entries({
    builtin: {},
    busybox: {},
    caffeinate: {},
    chroot: { operands: 1 },
    chrt: { operands: 1 },
    command: {},
    "cross-env": { assignments: true },
    dotenv: { values: "-e -f" },
    entr: {},
    env: { values: "-u --unset -C --chdir", assignments: true },
    exec: { values: "-a" },
    fakeroot: {},
    flock: { values: "-w --timeout -E", operands: 1 },
    ionice: { values: "-c -n" },
    nice: { values: "-n --adjustment" },
    nohup: {},
    setsid: {},
    stdbuf: { values: "-i -o -e --input --output --error" },
    strace: { values: "-e -o -p -s -u" },
    "systemd-run": { values: "-p --unit -u" },
    taskset: { operands: 1 },
    time: { values: "-f -o --format --output" },
    timeout: { values: "-s --signal -k --kill-after", operands: 1 },
    toybox: {},
    unshare: {},
    "xvfb-run": {},
    xargs: { values: "-a -d -E -I -L -n -P -s --arg-file --delimiter --max-args --max-procs" },
    // Runners of package managers
    bunx: {},
    npx: { values: "-p --package" },
    pnpx: {},
    "bundle exec": {},
    "conda run": { values: "-n --name" },
    "npm exec": {},
    "pipenv run": {},
    "pnpm dlx": {},
    "pnpm exec": {},
    "poetry run": {},
    "uv run": { values: "--with" },
    "yarn dlx": {},
    "yarn exec": {},
    "git bisect run": {},
  }),
);

/** Commands whose words, joined by spaces, are a script. */
const JOINED = new Map<string, Wrapper>(
  Object.entries({
    eval: {},
    parallel: { values: "-j --jobs -S --colsep -d -I -n" },
    watch: { values: "-n --interval" },
    "git submodule foreach": {},
  }),
);

const SHELLS = new Set(["sh", "bash", "zsh", "dash", "ksh", "ash", "fish"]);
const INTERPRETERS = /^(python|node|perl|ruby|php|deno|bun)[\d.]*$/;

/** What a command runs, apart from itself. Empty for most commands. */
export function innerCommands(outer: Outer): Inner[] {
  const { name, args } = outer;
  if (SHELLS.has(name)) return shellScript(outer);
  if (INTERPRETERS.test(name)) return outer.piped && args.every((arg) => arg === "-") ? ["unseen"] : [];
  switch (name) {
    case "source":
    case ".":
      return args[0] !== undefined && isStream(args[0]) ? ["unseen"] : [];
    case "find":
      return foundCommands(args);
    case "fd":
    case "fdfind":
      return after(args, /^(-x|-X|--exec|--exec-batch)$/);
    case "at":
    case "batch":
      return scriptFromStdin(outer);
    case "ssh":
      return sshScript(outer);
    case "trap":
      return args
        .filter((arg) => !arg.startsWith("-"))
        .slice(0, 1)
        .map((script) => ({ script }));
    case "alias":
      return args.map((arg) => ({ script: arg.slice(arg.indexOf("=") + 1) }));
    case "script":
      return scriptOption(args, /^(-\w*c|--command)$/);
    case "git":
      if (args[0] === "rebase") return scriptOption(args, /^(-x|--exec)$/);
      break;
    case "flock":
      if (args.includes("-c")) return scriptOption(args, /^-c$/);
      break;
    case "env":
      if (args.some((arg) => SPLIT.test(arg))) return splitScript(args);
      break;
    case "command":
      if (/^-[pvV]*[vV]/.test(args[0] ?? "")) return []; // only looks a command up
  }
  return wrapped(outer);
}

function wrapped({ name, args, piped }: Outer): Inner[] {
  const prefix = PREFIXES.get(name);
  if (prefix) return nonEmpty(commandPart(args, prefix));
  const joined = JOINED.get(name);
  if (joined) return joinedScript(commandPart(args, joined), piped);

  const [first = "", second = ""] = operandsOf({ name, args });
  for (const [key, last] of [[`${name} ${first}`, first] as const, [`${name} ${first} ${second}`, second] as const]) {
    const rest = args.slice(args.indexOf(last) + 1);
    const subcommand = PREFIXES.get(key);
    if (subcommand) return nonEmpty(commandPart(rest, subcommand));
    if (JOINED.has(key)) return joinedScript(commandPart(rest, {}), piped);
  }
  return [];
}

function joinedScript(words: string[], piped: boolean): Inner[] {
  const end = words.findIndex((word) => word.startsWith(":::")); // what parallel runs it on
  if (end === 0 || (piped && words.length === 0)) return ["unseen"];
  return [{ script: (end < 0 ? words : words.slice(0, end)).join(" ") }];
}

/** The words from the command on: behind the wrapper's options, variables and operands. */
function commandPart(args: string[], { values = "", operands = 0, assignments = false }: Wrapper): string[] {
  const withValue = values.split(" ");
  let left = operands;
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? "";
    if (arg !== "" && withValue.includes(arg)) i += 1;
    else if (arg.startsWith("-") || (assignments && /^\w+=/.test(arg))) continue;
    else if (left > 0) left -= 1;
    else return args.slice(i);
  }
  return [];
}

function nonEmpty(words: string[]): Inner[] {
  return words.length > 0 ? [{ words }] : [];
}

/** `sh -c SCRIPT`, `bash -euo pipefail -c SCRIPT`, `sh <<EOF`, `… | sh`. A script file is not looked into. */
function shellScript(outer: Outer): Inner[] {
  const { args } = outer;
  let inline = false;
  let file: string | undefined;
  for (let i = 0; i < args.length && file === undefined; i++) {
    const arg = args[i] ?? "";
    if (/^[-+]\w*$/.test(arg)) {
      inline ||= /^-\w*c/.test(arg);
      if (/[oO]$/.test(arg)) i += 1; // -o pipefail
      if (/^-\w*s/.test(arg)) break; // the words behind -s are the script's arguments
    } else if (/^--(rcfile|init-file)$/.test(arg)) i += 1;
    else if (!arg.startsWith("--")) file = arg;
  }
  if (inline) return [file === undefined ? "unseen" : { script: file }];
  if (file !== undefined) return isStream(file) ? ["unseen"] : [];
  return scriptFromStdin(outer);
}

function scriptFromStdin({ input, piped }: Outer): Inner[] {
  if (input !== undefined) return [{ script: input }];
  return piped ? ["unseen"] : [];
}

/** Standard input or a process substitution, in the place of a file. */
function isStream(file: string): boolean {
  return /^(<\(|\/dev\/(stdin|fd\/))/.test(file);
}

function sshScript(outer: Outer): Inner[] {
  const options = { values: "-B -b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w", operands: 1 };
  const words = commandPart(outer.args, options);
  if (words.length > 0) return [{ script: words.join(" ") }];
  return scriptFromStdin(outer);
}

const SPLIT = /^(-\w*S|--split-string=?)/;

/** `env -S "A=1 rm x"` splits a string into words as a shell does. */
function splitScript(args: string[]): Inner[] {
  const at = args.findIndex((arg) => SPLIT.test(arg));
  return [{ script: [args[at]?.replace(SPLIT, ""), ...args.slice(at + 1)].join(" ") }];
}

function scriptOption(args: string[], option: RegExp): Inner[] {
  return args.flatMap((script, i) => (option.test(args[i - 1] ?? "") ? [{ script }] : []));
}

function after(args: string[], option: RegExp): Inner[] {
  const at = args.findIndex((arg) => option.test(arg));
  return at < 0 ? [] : nonEmpty(args.slice(at + 1));
}

/** Tests of `find` that choose files. Without any of them it reaches everything below where it starts. */
const CHOOSES = /^-(i?l?name|i?(whole)?path|i?regex|size|[acm](time|min)|newer\w*|empty|user|group|perm|inum|links)$/;

/** What `find` does to what it finds: each `-exec`, and `-delete` told as the `rm` that it is. */
function foundCommands(args: string[]): Inner[] {
  const tests = args.findIndex((arg, i) => /^[-(!]/.test(arg) && !(i === 0 && /^-[HLP]$/.test(arg)));
  const starts = args.slice(0, tests < 0 ? args.length : tests).filter((arg) => !arg.startsWith("-"));
  const places = starts.length > 0 ? starts : ["."];
  const found = args.some((arg) => CHOOSES.test(arg)) ? ["{}"] : places;

  const inner: Inner[] = args.includes("-delete") ? [{ words: ["rm", "-r", "--", ...found] }] : [];
  args.forEach((arg, i) => {
    if (!/^-(exec|ok)(dir)?$/.test(arg)) return;
    const rest = args.slice(i + 1);
    const end = rest.findIndex((word) => word === ";" || word === "+");
    const words = end < 0 ? rest : rest.slice(0, end);
    inner.push(...nonEmpty(words.flatMap((word) => (word === "{}" ? found : [word]))));
  });
  return inner;
}
