/** What a command runs, apart from itself: `sh -c SCRIPT`, `find -exec …`, and whatever stands behind `env`, `xargs` … */
import { operands, optionValues, sameFor } from "./matchers.ts";
import { rowFor, wrappedCommands } from "./wrappers.ts";

/** What a command runs: another command, a script, or one that nobody can see before it runs. */
export type Inner = { words: string[]; given?: string[] } | { script: string } | "unseen";

/** What is needed of a command to know what it runs. */
export interface Outer {
  name: string;
  args: string[];
  /** Text given to it on standard input by a here-document or a here-string. */
  input: string | undefined;
  /** Does it read from a pipe? */
  piped: boolean;
  /** Paths that it reads from there, as far as they can be told. */
  paths: string[];
}

const SHELLS = new Set("sh bash rbash zsh dash ksh mksh ash csh tcsh fish nu".split(" "));
const INTERPRETERS = /^(python|node|perl|ruby|php|deno|bun)[\d.]*$/;

/** Options whose value is a script. */
const SCRIPT_OPTIONS = new Map(
  Object.entries({
    "cargo watch": ["-s", "--shell"],
    fish: ["-C", "--command", "--init-command"],
    hyperfine: ["--prepare", "--setup", "--cleanup", "--conclude"],
    tar: ["-I", "--use-compress-program", "--to-command", "--checkpoint-action=exec="],
    ...sameFor(["chokidar", "flock", "pwsh", "runuser", "script"], ["-c", "--command"]),
    ...sameFor(["git difftool", "git rebase", "nodemon"], ["-x", "--exec", "--extcmd"]),
    ...sameFor(["npm", "npx"], ["--call"]),
    ...sameFor(["scp", "sftp", "ssh"], ["ProxyCommand=", "-oProxyCommand=", "LocalCommand=", "-oLocalCommand="]),
  }),
);

/** What a command runs, apart from itself. Empty for most commands. */
export function innerCommands(outer: Outer): Inner[] {
  const options = rowFor(SCRIPT_OPTIONS, outer.name, outer.args)?.row ?? [];
  return [...scripts(optionValues(outer.args, ...options)), ...innerOfWords(outer)];
}

function innerOfWords(outer: Outer): Inner[] {
  const { name, args } = outer;
  if (SHELLS.has(name)) return shellScript(outer);
  if (INTERPRETERS.test(name) && outer.piped && readsCode(args)) return ["unseen"];
  // `time -o log make`: `time` is a word of the syntax for bash, but a program for other shells
  if (name.startsWith("-")) return wrapped({ ...outer, name: "time", args: [name, ...args] });
  switch (name) {
    case "source":
    case ".":
      return args[0] !== undefined && isStream(args[0]) ? ["unseen"] : [];
    case "find":
      return foundCommands(args);
    case "fd":
    case "fdfind":
      return fdCommand(args);
    case "at":
    case "batch":
      return scriptFromStdin(outer);
    case "trap":
      return scripts(args.filter((arg) => !arg.startsWith("-")).slice(0, 1));
    case "alias":
      return scripts(args.map((arg) => arg.slice(arg.indexOf("=") + 1)));
    case "concurrently":
    case "hyperfine":
      return scripts(operands(args).filter((word) => /\s/.test(word))); // a single word is a value, or `npm:dev`
    case "git":
      return [...scripts(gitSettings(args)), ...wrapped(outer)];
    case "xargs":
      return fromInput(outer);
    case "env":
      if (args.some((arg) => SPLIT.test(arg))) return splitScript(args);
      break;
    case "command":
      if (/^-[pvV]*[vV]/.test(args[0] ?? "")) return []; // only looks a command up
  }
  return wrapped(outer);
}

function wrapped(outer: Outer): Inner[] {
  const { joined, readings } = wrappedCommands(outer.name, outer.args);
  if (!joined) return readings.map(wordsOrScript);
  return readings.length > 0 ? readings.flatMap(joinedScript) : scriptFromStdin(outer);
}

/** A single word with white space is a script: `npx -c 'eslint .'`. No program has such a name. */
function wordsOrScript(words: string[]): Inner {
  const [first = ""] = words;
  return words.length === 1 && /\s/.test(first) ? { script: first } : { words };
}

function joinedScript(words: string[]): Inner[] {
  const end = words.findIndex((word) => word.startsWith(":::")); // what parallel runs it on
  if (end === 0) return ["unseen"];
  return [{ script: (end < 0 ? words : words.slice(0, end)).join(" ") }];
}

/** `xargs` puts what it reads behind the words of its command, or with `-I {}` in its place: paths, or any other text. */
function fromInput({ args, paths }: Outer): Inner[] {
  const [place] = optionValues(args, "-I", "--replace");
  const { readings } = wrappedCommands("xargs", args);
  if (place === undefined) return readings.map((words) => ({ words, given: paths }));
  const fill = (word: string) => (word === place && paths.length > 0 ? paths : [word]);
  const blank = (word: string) => word.replaceAll(place, "{}");
  return readings.flatMap((words) => [{ words: words.flatMap(fill) }, { words: words.map(blank) }]);
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
      if (/[oO]/.test(arg)) i += 1; // -o pipefail
      if (/^-\w*s/.test(arg)) break; // the words behind -s are the script's arguments
    } else if (/^--(rcfile|init-file)$/.test(arg)) i += 1;
    else if (!arg.startsWith("--")) file = arg;
  }
  if (inline) return [file === undefined ? "unseen" : { script: file }];
  if (file !== undefined) return isStream(file) ? ["unseen"] : [];
  return scriptFromStdin(outer);
}

/** Is it `python3` or `node -`, with no code and no file in its words? */
function readsCode(args: string[]): boolean {
  const [file = "-"] = operands(args);
  return file === "-" && !args.some((arg) => /^(-[\dalnpuw]*[ce]|-[mr]|--(eval|print)=)./s.test(arg)); // -pe's/a/b/'
}

function scriptFromStdin({ input, piped }: Outer): Inner[] {
  if (input !== undefined) return [{ script: input }];
  return piped ? ["unseen"] : [];
}

/** Standard input or a process substitution, in the place of a file. */
function isStream(file: string): boolean {
  return /^(<\(|\/dev\/stdin|\/(dev|proc\/[^/]+)\/fd\/)/.test(file);
}

const SPLIT = /^(-\w*S|--split-string=?)/;

/** `env -S "A=1 rm x"` splits a string into words as a shell does. */
function splitScript(args: string[]): Inner[] {
  const at = args.findIndex((arg) => SPLIT.test(arg));
  return [{ script: [args[at]?.replace(SPLIT, ""), ...args.slice(at + 1)].join(" ") }];
}

/** Settings of git whose value is a script: `git -c core.pager=less`, `git config alias.x '!ls'`. */
function gitSettings(args: string[]): string[] {
  const settings = args.map((arg, i) => (arg.includes("=") ? arg : `${arg}=${args[i + 1] ?? ""}`));
  const script = /^(?:alias\.[^=]+=!|core\.(?:editor|fsmonitor|pager|sshCommand)=)(.+)/s;
  return settings.flatMap((setting) => script.exec(setting)?.[1] ?? []);
}

function scripts(texts: string[]): Inner[] {
  return texts.map((script) => ({ script }));
}

/** A command of these words, if there are any. */
function commandOf(words: string[]): Inner[] {
  return words.length > 0 ? [{ words }] : [];
}

/** `fd -x rm`, `fd --exec=rm -f`. */
function fdCommand(args: string[]): Inner[] {
  const option = /^(-[xX]|--exec(-batch)?(=|$))/;
  const at = args.findIndex((arg) => option.test(arg));
  const first = args[at]?.replace(option, "");
  return at < 0 ? [] : commandOf([...(first ? [first] : []), ...args.slice(at + 1)]);
}

/** Tests of `find` that choose files. Without any of them it reaches everything below where it starts. */
const CHOOSES = /^-(i?l?name|i?(whole)?path|i?regex|size|[acm](time|min)|newer\w*|empty|user|group|perm|inum|links)$/;

/** What `find` does to what it finds: each `-exec`, and `-delete` told as the `rm` that it is. */
function foundCommands(args: string[]): Inner[] {
  const places = startsOf(args);
  const found = args.some((arg) => CHOOSES.test(arg)) ? places.map((place) => `${place}/{}`) : places;

  const inner: Inner[] = args.includes("-delete") ? [{ words: ["rm", "-r", "--", ...found] }] : [];
  args.forEach((arg, i) => {
    if (!/^-(exec|ok)(dir)?$/.test(arg)) return;
    const end = args.findIndex((word, at) => at > i && (word === ";" || word === "+"));
    const words = args.slice(i + 1, end < 0 ? args.length : end);
    inner.push(...commandOf(words.flatMap((word) => (word === "{}" ? found : [word]))));
  });
  return inner;
}

/** Where `find` starts. */
function startsOf(args: string[]): string[] {
  const tests = args.findIndex((arg, i) => /^[-(!]/.test(arg) && !(i === 0 && /^-[HLP]$/.test(arg)));
  const starts = args.slice(0, tests < 0 ? args.length : tests).filter((arg) => !arg.startsWith("-"));
  return starts.length > 0 ? starts : ["."];
}

/** The paths that a command prints, as far as its words tell. */
export function pathsPrinted({ name, args }: Outer): string[] {
  switch (name) {
    case "find":
      return startsOf(args).map((place) => `${place}/{}`);
    case "fd":
    case "fdfind":
      return operands(args).slice(1);
    case "echo":
    case "ls":
    case "printf":
      return operands(args);
    default:
      return [];
  }
}
