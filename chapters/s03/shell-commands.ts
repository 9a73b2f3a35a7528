/** The commands that a shell line would run, wherever they hide: found in its syntax tree, not by searching its text. */
import {
  forEachChild,
  parse,
  type Assignment,
  type Command,
  type For,
  type Redirect,
  type Redirection,
  type SyntaxNode,
} from "unbash";
import { pathFrom, type Place } from "./paths.ts";
import { isKnown, wordValues, type Variables } from "./shell-words.ts";
import { innerCommands, type Outer } from "./wrappers.ts";

/**
 * One command of a line: behind `&&`, `|` or `;`, in `$( )`, in `sh -c "…"`, behind `env`, `xargs`, `find -exec` …
 * A redirection into a file is one too, with the name `>` and the file as its argument.
 */
export interface ShellCommand extends Outer {
  /** Its name without folders; when that is not `isKnown`, nobody can say before it runs what it is. */
  name: string;
  args: string[];
  /** Where it runs, as far as `cd` shows it: absolute, or beginning with something that is not known. */
  directory: string;
  /** Does a function call itself here through a pipe or in the background? That is a fork bomb. */
  forks: boolean;
}

export interface ShellLine {
  commands: ShellCommand[];
  /** Why parts of it could not be read; empty for a line that was understood. */
  problems: string[];
}

type Stdin = Pick<Outer, "input" | "piped">;

/** What a command sees of the line around it. A subshell gets a copy. */
interface Scope {
  /** `PWD`, among them, is the folder that the line is in. */
  variables: Variables;
  stdin: Stdin;
  /** Does the function around it go on, or end, without waiting for it? */
  parallel: boolean;
  /** The functions being defined around it. */
  functions: string[];
  /** How many scripts and wrappers there are around it. */
  depth: number;
}

interface Reading extends ShellLine {
  /** Characters read so far, those of a nested node once more for each node around it. */
  read: number;
}

/** More than any honest line needs; what goes beyond is not looked at. */
const MAX_DEPTH = 30;
const MAX_READ = 2_000_000;

const PIPED: Stdin = { input: undefined, piped: true };

/**
 * Takes a shell line apart. Runs nothing and never throws. What it cannot see: script files, functions from elsewhere,
 * programs in other languages (`python -c`, `awk`), and what happens in a container.
 */
export function commandsIn(line: string, { workspace, home }: Place): ShellLine {
  const reading: Reading = { commands: [], problems: [], read: 0 };
  const variables: Variables = new Map(Object.entries({ HOME: home, PWD: workspace }));
  const stdin: Stdin = { input: undefined, piped: false };
  try {
    visit(parse(line), { variables, stdin, parallel: false, functions: [], depth: 0 }, reading);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error; // the parser's stack is full: nested past all reason
    reading.problems.push("too deeply nested");
  }
  return { commands: reading.commands, problems: [...new Set(reading.problems)] };
}

function visit(node: SyntaxNode, scope: Scope, reading: Reading): void {
  const visitChildren = (inner: Scope) => forEachChild(node, (child) => visit(child, inner, reading));
  reading.read += node.end - node.pos + 1;
  if (reading.read > MAX_READ) {
    reading.problems.push("too long");
    return;
  }
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
    case "For":
      return node.wordlist ? repeat(node, scope, visitChildren) : visitChildren(scope);
    case "Function": // whoever calls it may pipe into it
      return visitChildren({
        ...copy(scope),
        stdin: PIPED,
        parallel: false,
        functions: [...scope.functions, node.name.value],
      });
    case "Statement":
      return visitChildren(node.background ? { ...copy(scope), parallel: true } : scope);
    case "Pipeline":
      if (node.commands.length === 1) return visitChildren(scope);
      return node.commands.forEach((command, i) => {
        visit(command, { ...copy(scope), stdin: i > 0 ? PIPED : scope.stdin, parallel: true }, reading);
      });
    case "Subshell":
    case "CommandExpansion":
    case "ProcessSubstitution":
      return visitChildren(copy(scope));
    default:
      return visitChildren(scope);
  }
}

function copy(scope: Scope): Scope {
  return { ...scope, variables: new Map(scope.variables) };
}

/** The body of a loop is read once for each value that its variable takes. */
function repeat(loop: For, scope: Scope, visitLoop: (scope: Scope) => void): void {
  const name = loop.name.value;
  for (const value of (loop.wordlist ?? []).flatMap((word) => wordValues(word, scope.variables))) {
    scope.variables.set(name, value);
    visitLoop(scope);
  }
  scope.variables.set(name, undefined);
}

/** A variable that may have two values has none that is known; nor has one that the shell would split into words. */
function assign({ name, value, append }: Assignment, variables: Variables): void {
  const values = value.type === "Word" && !append ? wordValues(value, variables) : [];
  const other = variables.has(name) && variables.get(name) !== values[0];
  const splits = /\s/.test((values[0] ?? "").replace(/\$\([^()]*\)/g, ""));
  const certain = values.length === 1 && !other && !splits;
  variables.set(name, certain ? values[0] : undefined);
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
  if (words.length > 0) runWords(words, { ...scope, stdin: stdinOf(node.redirects, scope) }, reading);
}

/** Standard input behind redirections: the text of `<<EOF` and `<<<`, the command of `< <(…)`, or what it was. */
function stdinOf(redirects: readonly Redirection[], { stdin, variables }: Scope): Stdin {
  const texts = redirects.flatMap((redirect) => {
    if (redirect.type === "HereDoc") return [redirect.body.text];
    return redirect.type === "HereString" && redirect.target ? wordValues(redirect.target, variables) : [];
  });
  if (texts.length > 0) return { input: texts.join("\n"), piped: false };
  const sources = redirects.flatMap((redirect) =>
    redirect.type === "Redirect" && redirect.operator === "<" ? [redirect.target?.value ?? ""] : [],
  );
  return sources.length > 0 ? { input: undefined, piped: sources.some((source) => source.startsWith("<(")) } : stdin;
}

/** Commands that run what they are given in this very shell, so that a `cd` in it counts for what follows. */
const SAME_SHELL = new Set(["builtin", "command", "eval"]);

function runWords([path = "", ...args]: string[], scope: Scope, reading: Reading): void {
  const { variables, stdin, parallel, functions, depth } = scope;
  const name = lastName(path);
  const directory = variables.get("PWD") ?? "$PWD";
  const command = { name, args, ...stdin, directory, forks: parallel && functions.includes(path) };
  reading.commands.push(command);
  if (name === "read") for (const variable of args) variables.set(variable, undefined);
  if (/^(cd|pushd|popd)$/.test(name)) changeDirectory(command, variables);

  const around = SAME_SHELL.has(name) ? scope : copy(scope);
  const inside = { ...around, functions: [], depth: depth + 1 };
  for (const inner of innerCommands(command)) {
    if (inner === "unseen") continue;
    if ("script" in inner) visit(parse(inner.script), inside, reading);
    else if (depth < MAX_DEPTH) runWords(inner.words, inside, reading);
    else reading.problems.push("too deeply nested");
  }
}

/** The name of a program without folders, `$JAVA_HOME/bin/java` as java; what is not known stays as it is. */
function lastName(path: string): string {
  const folded = path.replace(/\$\(.*\)|\$\{[^}]*\}|`[^`]*`/gs, "$$");
  const name = folded.slice(folded.lastIndexOf("/") + 1);
  return name !== "" && isKnown(name) ? name : path;
}

function changeDirectory({ name, args, directory }: ShellCommand, variables: Variables): void {
  const home = variables.get("HOME") ?? "$HOME";
  const target = args.find((arg) => !/^-./.test(arg)) ?? home;
  const back = target === "-" || name === "popd";
  variables.set("PWD", back ? variables.get("OLDPWD") : pathFrom(directory, target, home));
  variables.set("OLDPWD", directory);
}
