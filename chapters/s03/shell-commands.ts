/** The commands that a shell line would run, wherever they hide: found in its syntax tree, not by searching its text. */
import { forEachChild, parse, type Command, type Pipeline, type Redirection, type SyntaxNode } from "unbash";
import { pathsPrinted, textPrinted } from "./code-texts.ts";
import { innerCommands, settingScripts, type Inner } from "./inner-commands.ts";
import { filesLoaded, pathFrom, UNKNOWN_PLACE, type Place } from "./paths.ts";
import { DELETERS } from "./programs.ts";
import { addCommand, copy, give, spend, type Scope, type ShellCommand, type Stdin } from "./scope.ts";
import { isKnown, wordChoices, wordValues } from "./words.ts";

/**
 * Takes a shell line apart. Runs nothing and never throws. It does not see into script files and other languages. A
 * variable may have any value that the line gives it, wherever that stands; so a line that gives some is read twice.
 */
export function commandsIn(line: string, place: Place): Pick<Scope, "commands" | "problems"> {
  const variables = new Map(Object.entries({ HOME: new Set([place.home]), TMPDIR: new Set(["/tmp"]) }));
  const start = { place, variables, functions: new Set<string>(), spent: { size: 0 }, problems: new Set<string>() };
  const read = (): ShellCommand[] => {
    const at = { directory: place.workspace, previous: UNKNOWN_PLACE };
    const scope = { ...start, at, commands: [], made: new Map(), inside: [], stdin: {} };
    try {
      visitScript(line, { ...scope, detached: false, assumed: false, depth: 0 });
    } catch (error) {
      if (!(error instanceof RangeError)) throw error; // also from the parser, when its stack is full
      start.problems.add("too long or too deeply nested");
    }
    return scope.commands;
  };
  const known = variables.size;
  const commands = read();
  return { commands: variables.size > known ? read() : commands, problems: start.problems };
}

const MAX_OPEN = 500; // substitutions in a script; some are slow to parse

function visitScript(script: string, scope: Scope): void {
  spend(script.length, scope);
  if ((script.match(/\$[({]|<</g)?.length ?? 0) > MAX_OPEN) throw new RangeError("too much in one another");
  const tree = parse(script);
  if (!scope.assumed) for (const { message } of tree.errors ?? []) scope.problems.add(message);
  visit(tree, { ...scope, depth: scope.depth + 1 });
}

function visit(node: SyntaxNode, scope: Scope): void {
  const visitChildren = (inner = scope) => forEachChild(node, (child) => visit(child, inner));
  const runTexts = (texts: string[]) => texts.forEach((text) => visitScript(text, { ...copy(scope), assumed: true }));
  switch (node.type) {
    case "Command":
      visitChildren(); // what is substituted in it runs first
      return runCommand(node, scope);
    case "Redirected":
      visitChildren({ ...scope, stdin: stdinOf(node.redirects, scope) });
      return node.redirects.forEach((redirect) => runRedirect(redirect, undefined, scope));
    case "Assignment": {
      visitChildren();
      const words = node.value.type === "Word" ? [node.value] : node.value.elements;
      const values = words.flatMap((word) => wordChoices(word, scope).map((choice) => choice.join(" ")));
      give(node.name, node.append ? [...values, `$${node.name}`] : values, scope);
      return runTexts(settingScripts(node.name, values));
    }
    case "For":
    case "Select":
      give(node.name.value, node.wordlist?.flatMap((word) => wordValues(word, scope)) ?? ["$@"], scope);
      return visitChildren();
    case "SingleQuoted":
    case "Literal": // the shell runs what is in the brackets of `test -v 'a[$(…)]'`, whatever the quotes
      return runTexts(/^\w+\[.*(\$\(|`)/s.test(node.value) ? [`: "${node.value.replaceAll('"', "")}"`] : []);
    case "ParameterExpansion":
      visitChildren();
      if (node.text.endsWith("@P}")) addCommand(node.text, [], scope).unseen = true; // runs what is in the value
      return;
    case "Function":
      scope.functions.add(node.name.value);
      return visit(node.body, { ...scope, detached: false, inside: [...scope.inside, node.name.value] });
    case "Statement":
      return visitChildren(node.background ? { ...copy(scope), detached: true } : scope);
    case "Pipeline":
      return node.commands.length === 1 ? visitChildren() : runPipeline(node, scope);
    case "Coproc":
    case "ProcessSubstitution":
      return visitChildren({ ...copy(scope), stdin: { piped: true } });
    case "Subshell":
    case "CommandExpansion":
      return visitChildren(copy(scope));
    default:
      return visitChildren();
  }
}

function runPipeline({ commands }: Pipeline, scope: Scope): void {
  let { stdin } = scope;
  for (const command of commands) {
    const before = scope.commands.length;
    visit(command, { ...copy(scope), stdin, detached: true });
    const last = scope.commands.slice(before).findLast(({ name }) => name !== ">");
    const input = last && textPrinted(last);
    stdin = input === undefined ? { piped: true, paths: last ? pathsPrinted(last) : [] } : { input };
  }
}

function runCommand({ name, args, redirects }: Command, scope: Scope): void {
  const words = args.flatMap((word) => {
    if (word.type === "Word") return wordValues(word, scope);
    return word.value.type === "Word" ? wordValues(word.value, scope).map((value) => `${word.name}=${value}`) : []; // export A=1
  });
  const choices = name ? wordChoices(name, scope) : [];
  const isChoice = /^"?\$(?!.*\[@\])/.test(name?.text ?? ""); // `{a,b}` and "${list[@]}" are lists
  const around = { ...scope, stdin: stdinOf(redirects, scope) };
  const commands = (isChoice ? choices : [choices.flat()]).map(
    (first) => name && runWords([...first, ...words], around),
  );
  for (const redirect of redirects) runRedirect(redirect, commands[0], scope);
}

/** Standard input behind redirections: the text of `<<EOF` and `<<<`, the command of `< <(…)`, or what it was. */
function stdinOf(redirects: readonly Redirection[], scope: Scope): Stdin {
  const redirect = redirects.find(({ operator }) => operator.startsWith("<"));
  if (redirect?.type === "HereDoc") return { input: redirect.body.text };
  if (!redirect?.target) return scope.stdin;
  if (redirect.type === "HereString") return { input: wordValues(redirect.target, scope).join("\n") };
  return { piped: redirect.target.text.startsWith("<(") };
}

function runRedirect(redirect: Redirection, command: ShellCommand | undefined, scope: Scope): void {
  if (redirect.type !== "Redirect" || !redirect.target) return;
  const { operator, target } = redirect;
  if (operator.endsWith("&") && /^[\d$-]/.test(target.value)) return; // 2>&1 copies a descriptor
  for (const file of wordValues(target, scope)) {
    addCommand(operator.startsWith("<") ? "<" : ">", [file], scope);
    const text = /^(curl|wget)$/.test(command?.name ?? "") ? undefined : ((command && textPrinted(command)) ?? "");
    if (/^(>|>\||&>|>&)$/.test(operator)) scope.made.set(pathFrom(scope.at.directory, file), text);
  }
}

/** Builtins that change a variable out of sight. */
const SETS = /^(read|readarray|mapfile|getopts|printf|unset|declare|local|typeset)$/;

function runWords([path = "", ...words]: string[], scope: Scope): ShellCommand {
  const { at, made } = scope;
  spend((words.length + 1) * at.directory.length, scope);
  const base = /[^/]*$/.exec(path.replace(/\$\(.*\)|\$\{[^}]*\}|`[^`]*`/gs, "$$"))?.[0] ?? "";
  const name = base !== "" && isKnown(base) ? base.toLowerCase() : path; // macOS runs RM, too
  const args = DELETERS.has(name) ? words.filter((word) => !made.has(pathFrom(at.directory, word))) : words; // its own may go
  const command = addCommand(name, args, scope);
  if (/^(cd|pushd|popd)$/.test(name)) {
    const target = args.find((arg) => !/^-./.test(arg)) ?? scope.place.home;
    const next = target === "-" || name === "popd" ? at.previous : pathFrom(at.directory, target);
    Object.assign(at, { directory: next, previous: at.directory });
  }
  for (const file of filesLoaded(name, args)) made.set(pathFrom(command.directory, file), undefined);
  const set = SETS.test(name) ? args.flatMap((arg) => /^(\w+)(=|$)/.exec(arg)?.[1] ?? []) : [];
  for (const variable of set) give(variable, ["$INPUT"], scope);
  const given = scope.functions.has(path) ? [args.join(" "), ...args] : [];
  for (const [i, arg] of given.entries()) give(i === 0 ? "@" : `${i}`, [arg], scope);
  for (const inner of innerCommands(command, path)) runInner(inner, command, scope);
  return command;
}

function runInner({ words, script, file, assumed, away }: Inner, command: ShellCommand, outer: Scope): void {
  const scope = /^(eval|builtin|command)$/.test(command.name) ? { ...outer } : copy(outer);
  if (away) scope.at.directory = UNKNOWN_PLACE;
  Object.assign(scope, { inside: [], assumed: outer.assumed || assumed === true, depth: outer.depth + 1 });
  const path = pathFrom(command.directory, file ?? "");
  const text = outer.made.get(path);
  if (words) runWords(words, scope);
  else if (script !== undefined) visitScript(script, scope);
  else if (file !== undefined && text !== undefined) visitScript(text, { ...scope, stdin: {}, assumed: true });
  else command.unseen ||= file === undefined || outer.made.has(path);
}
