/** The commands that a shell line would run, wherever they hide: found in its syntax tree, not by searching its text. */
import {
  forEachChild,
  parse,
  type Command,
  type For,
  type Function as ShellFunction,
  type Pipeline,
  type Redirect,
  type Redirection,
  type SyntaxNode,
} from "unbash";
import { MAX_PATH, pathFrom, UNKNOWN_PLACE, type Place } from "./paths.ts";
import { isKnown, wordValues, type Variables } from "./shell-words.ts";
import { assign, assignDefault, assignNumber, forgetAll, forgetSet } from "./variables.ts";
import { innerCommands, pathsPrinted, type Inner, type Outer } from "./inner-commands.ts";

/**
 * One command of a line: behind `&&`, `|` or `;`, in `$( )`, in `sh -c "…"`, behind `env`, `xargs`, `find -exec` …
 * A redirection into a file is one too, with the name `>` and the file as its argument.
 */
export interface ShellCommand extends Outer {
  /** Its name without folders; when that is not `isKnown`, nobody can say before it runs what it is. */
  name: string;
  args: string[];
  /** Paths that `xargs` puts behind its arguments, as far as they can be told. */
  given: string[];
  /** Where it runs, as far as `cd` shows it: absolute, or beginning with something that is not known. */
  directory: string;
  /** What it runs in its turn. */
  inner: Inner[];
  /** Does a function call itself here through a pipe or in the background? That is a fork bomb. */
  forks: boolean;
}

export interface ShellLine {
  commands: ShellCommand[];
  /** Why parts of it could not be read; empty for a line that was understood. */
  problems: string[];
}

type Stdin = Pick<Outer, "input" | "piped" | "paths">;

/** What a command sees of the line around it. A subshell gets a copy. */
interface Scope {
  /** `PWD`, among them, is the folder that the line is in. */
  variables: Variables;
  stdin: Stdin;
  /** Does the function around it go on, or end, without waiting for it? */
  parallel: boolean;
  /** The functions around it, from their definition or from a call. */
  functions: string[];
  /** How many scripts and wrappers there are around it. */
  depth: number;
}

interface Reading extends ShellLine {
  /** The functions that it defines, and the bodies that it gives them. */
  functions: Map<string, Set<SyntaxNode>>;
  /** Characters read so far, those of a nested node once more for each node around it, and variables carried along. */
  read: number;
  /** Folders on the way to the words of all commands, which is what it costs to look at them. */
  steps: number;
}

/** The longest line that a system runs: Linux takes no argument of more bytes. */
const MAX_BYTES = 131_071;
/** More than any honest line needs; what goes beyond is not looked at. */
const MAX_DEPTH = 30;
const MAX_READ = 2_000_000;
const MAX_STEPS = 30_000;
const MAX_OPEN = 200;

const PIPED: Stdin = { input: undefined, piped: true, paths: [] };

/**
 * Takes a shell line apart. Runs nothing and never throws. What it cannot see: script files, functions from elsewhere,
 * programs in other languages (`python -c`, `awk`), and what happens in a container.
 */
export function commandsIn(line: string, { workspace, home }: Place): ShellLine {
  if (Buffer.byteLength(line) > MAX_BYTES) return { commands: [], problems: ["too long"] };
  const reading: Reading = { commands: [], problems: [], functions: new Map(), read: 0, steps: 0 };
  const variables: Variables = new Map(Object.entries({ HOME: home, PWD: workspace }));
  const stdin: Stdin = { input: undefined, piped: false, paths: [] };
  try {
    visitScript(line, { variables, stdin, parallel: false, functions: [], depth: 0 }, reading);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error; // also from the parser, when its stack is full
    reading.problems.push("too long or too deeply nested");
  }
  return { commands: reading.commands, problems: [...new Set(reading.problems)] };
}

function visitScript(script: string, scope: Scope, reading: Reading): void {
  limitNesting(script);
  visit(parse(script), scope, reading);
}

/** Some of what is opened and not closed costs the parser the square of its number. */
function limitNesting(script: string): void {
  for (const line of script.split("\n")) limit(line.split("<<").length, MAX_OPEN);
  let open = 0;
  for (const [brace] of script.matchAll(/\$\{|\}/g)) {
    open = brace === "}" ? Math.max(0, open - 1) : open + 1;
    limit(open, MAX_OPEN);
  }
}

function limit(amount: number, most: number): void {
  if (amount > most) throw new RangeError("more than any honest line needs");
}

function visit(node: SyntaxNode, scope: Scope, reading: Reading): void {
  const visitChildren = (inner: Scope) => forEachChild(node, (child) => visit(child, inner, reading));
  reading.read += node.end - node.pos + scope.variables.size;
  limit(reading.read, MAX_READ);
  switch (node.type) {
    case "Script":
      reading.problems.push(...(node.errors ?? []).map(({ message }) => message));
      if (scope.depth < MAX_DEPTH) return visitChildren({ ...scope, depth: scope.depth + 1 });
      reading.problems.push("too deeply nested");
      return;
    case "Command":
      visitChildren(scope); // what is substituted in it runs first
      return runCommand(node, scope, reading);
    case "Redirect":
      visitChildren(scope);
      return writeFile(node, scope, reading);
    case "Redirected":
      return visitChildren({ ...scope, stdin: stdinOf(node.redirects, scope) });
    case "Assignment":
      visitChildren(scope);
      return assign(node, scope.variables);
    case "ParameterExpansion":
      visitChildren(scope);
      return assignDefault(node, scope.variables);
    case "ArithmeticBinary":
    case "ArithmeticUnary":
      visitChildren(scope);
      return assignNumber(node, scope.variables);
    case "For":
      return repeat(node, scope, reading);
    case "Select":
      scope.variables.set(node.name.value, undefined);
      return twice(() => visitChildren(scope));
    case "While":
    case "ArithmeticFor":
      return twice(() => visitChildren(scope));
    case "Function":
      return defineFunction(node, scope, reading);
    case "Statement":
      return visitChildren(node.background ? { ...copy(scope), parallel: true } : scope);
    case "Pipeline":
      if (node.commands.length === 1) return visitChildren(scope);
      return runPipeline(node, scope, reading);
    case "Subshell":
    case "CommandExpansion":
      return visitChildren(copy(scope));
    case "Coproc":
      return visitChildren({ ...copy(scope), stdin: PIPED });
    case "ProcessSubstitution":
      return visitChildren({ ...copy(scope), stdin: node.operator === ">" ? PIPED : scope.stdin });
    default:
      return visitChildren(scope);
  }
}

function copy(scope: Scope): Scope {
  return { ...scope, variables: new Map(scope.variables) };
}

/** What the second round of a loop runs may have been set by the first. */
function twice(visitLoop: () => void): void {
  visitLoop();
  visitLoop();
}

/** The body of a loop is read once for each value that its variable takes. */
function repeat({ name, wordlist, body }: For, scope: Scope, reading: Reading): void {
  for (const word of wordlist ?? []) visit(word, scope, reading);
  const values: (string | undefined)[] = (wordlist ?? []).flatMap((word) => wordValues(word, scope.variables));
  // a single value may be `*.txt` and stand for many
  for (const value of values.length > 1 ? values : [values[0], values[0]]) {
    scope.variables.set(name.value, value);
    visit(body, scope, reading);
  }
  scope.variables.set(name.value, undefined);
}

/** A body is read where it is defined, as it may never be called, and where it is called, with the variables of that place. */
function defineFunction({ name, body }: ShellFunction, scope: Scope, reading: Reading): void {
  const bodies = reading.functions.get(name.value) ?? new Set();
  reading.functions.set(name.value, bodies.add(body));
  visitBody(body, name.value, copy(scope), reading);
}

function visitBody(body: SyntaxNode, name: string, scope: Scope, reading: Reading): void {
  visit(body, { ...scope, parallel: false, functions: [...scope.functions, name] }, reading);
}

function runPipeline({ commands }: Pipeline, scope: Scope, reading: Reading): void {
  let { stdin } = scope;
  for (const command of commands) {
    const before = reading.commands.length;
    visit(command, { ...copy(scope), stdin, parallel: true }, reading);
    stdin = { ...PIPED, paths: [...stdin.paths, ...reading.commands.slice(before).flatMap(pathsPrinted)] };
  }
}

function writeFile({ operator, target }: Redirect, scope: Scope, reading: Reading): void {
  if (!target || !operator.includes(">")) return;
  if (operator === ">&" && /^[\d$-]/.test(target.value)) return; // 2>&1 copies a descriptor
  runWords([">", ...wordValues(target, scope.variables)], scope, reading);
}

function runCommand(node: Command, scope: Scope, reading: Reading): void {
  const { variables } = scope;
  const words = [node.name, ...node.args].flatMap((word) => {
    if (!word) return [];
    if (word.type === "Word") return wordValues(word, variables);
    const values = word.value.type === "Word" ? wordValues(word.value, variables) : [word.text]; // export A=1
    return values.map((value) => `${word.name}=${value}`);
  });
  const around = { ...scope, stdin: stdinOf(node.redirects, scope) };
  const [name = ""] = words;
  const bodies = scope.functions.includes(name) ? [] : (reading.functions.get(name) ?? []);
  for (const body of bodies) {
    words.forEach((word, i) => variables.set(`${i}`, word)); // $1, $2 …
    visitBody(body, name, around, reading);
    words.forEach((_, i) => variables.delete(`${i}`));
  }
  if (words.length > 0) runWords(words, around, reading);
}

/** Standard input behind redirections: the text of `<<EOF` and `<<<`, the command of `< <(…)`, or what it was. */
function stdinOf(redirects: readonly Redirection[], { stdin, variables }: Scope): Stdin {
  const texts = redirects.flatMap((redirect) => {
    if (redirect.type === "HereDoc") return [redirect.body.text];
    return redirect.type === "HereString" && redirect.target ? wordValues(redirect.target, variables) : [];
  });
  if (texts.length > 0) return { input: texts.join("\n"), piped: false, paths: [] };
  const sources = redirects.flatMap((redirect) =>
    redirect.type === "Redirect" && redirect.operator === "<" ? [redirect.target?.value ?? ""] : [],
  );
  if (sources.length === 0) return stdin;
  return { input: undefined, piped: sources.some((source) => source.startsWith("<(")), paths: [] };
}

/** Commands that run what they are given in this very shell, so that a `cd` in it counts for what follows. */
const SAME_SHELL = new Set(["builtin", "command", "eval"]);

/** Commands that keep a script for later, when variables may have other values. */
const LATER = new Set(["alias", "trap"]);

function runWords([path = "", ...args]: string[], scope: Scope, reading: Reading, given: string[] = []): void {
  const { variables, stdin, parallel, functions, depth } = scope;
  const name = lastName(path);
  const directory = variables.get("PWD") ?? UNKNOWN_PLACE;
  reading.steps += (args.length + 1) * directory.split("/").length;
  limit(reading.steps, MAX_STEPS);
  const inner = innerCommands({ name, args, ...stdin });
  const forks = parallel && functions.includes(path);
  const command = { name, args, ...stdin, given, directory, inner, forks };
  reading.commands.push(command);
  changeVariables(command, variables);

  const around = SAME_SHELL.has(name) ? scope : copy(scope);
  if (LATER.has(name)) forgetAll(around.variables);
  const inside = { ...around, functions: [], depth: depth + 1 };
  for (const each of inner) {
    if (each === "unseen") continue;
    if ("script" in each) visitScript(each.script, inside, reading);
    else if (depth < MAX_DEPTH) runWords(each.words, inside, reading, each.given);
    else reading.problems.push("too deeply nested");
  }
}

function changeVariables(command: ShellCommand, variables: Variables): void {
  if (/^(cd|pushd|popd)$/.test(command.name)) changeDirectory(command, variables);
  else forgetSet(command, variables);
}

/** The name of a program without folders, `$JAVA_HOME/bin/java` as java; what is not known stays as it is. */
function lastName(path: string): string {
  if (path.length > MAX_PATH) return path;
  const folded = path.replace(/\$\(.*\)|\$\{[^}]*\}|`[^`]*`/gs, "$$");
  const name = folded.slice(folded.lastIndexOf("/") + 1);
  return name !== "" && isKnown(name) ? name.toLowerCase() : path; // macOS runs RM, too
}

function changeDirectory({ name, args, directory }: ShellCommand, variables: Variables): void {
  const home = variables.get("HOME") ?? "$HOME";
  const target = args.find((arg) => !/^-./.test(arg)) ?? home;
  const back = target === "-" || name === "popd";
  variables.set("PWD", back ? variables.get("OLDPWD") : pathFrom(directory, target, home));
  variables.set("OLDPWD", directory);
}
