/** What the words of a shell line say before it runs: quotes taken off, braces spread, known variables filled in. */
import { posix } from "node:path";
import type { CommandExpansionPart, ParameterExpansionPart, Word, WordPart } from "unbash";
import type { Place } from "./paths.ts";

/** What words are read in. */
export interface Known {
  place: Place;
  /** All values that the line gives to its variables. What only the run will show is a text as `$A`. */
  variables: Map<string, Set<string>>;
  /** Where the line is, as far as `cd` shows it. */
  at: { directory: string; previous: string };
}

const MAX_CHOICES = 2000;

/** Is a text plain, with nothing in it that the shell fills in when the line runs? */
export function isKnown(text: string): boolean {
  return !/[$`*?{}]|\[.|[@!+]\(|^[<>]\(/.test(text);
}

/** What a word may become. Each choice is a list of words, because the shell splits a variable without quotes. */
export function wordChoices({ text, value, parts }: Word, known: Known): string[][] {
  const { home } = known.place;
  const splits = parts?.length === 1 && /^\$(?!\()|^"\$@"$/.test(text);
  return (parts ? joinParts(parts, known) : [value]).map((word) => {
    if (splits && word !== text && /\s/.test(word)) return word.trim().split(/\s+/);
    if (!/^[~{]/.test(text) || !word.startsWith("~")) return [word]; // in quotes, ~ is an ordinary name
    return [word.replace(/^~[^/]*/, (user) => (user === "~" ? home : posix.join(home, "..", user.slice(1))))];
  });
}

export function wordValues(word: Word, known: Known): string[] {
  return wordChoices(word, known).flat();
}

function joinParts(parts: readonly WordPart[], known: Known): string[] {
  let joined = [""];
  for (const part of parts) {
    const values = partValues(part, known);
    if (joined.length * values.length > MAX_CHOICES) return [parts.map(({ text }) => text).join("")]; // {a,b}{a,b}…
    joined = joined.flatMap((head) => values.map((value) => head + value));
  }
  return joined;
}

function partValues(part: WordPart, known: Known): string[] {
  switch (part.type) {
    case "DoubleQuoted":
    case "LocaleString":
      return joinParts(part.parts, known);
    case "BraceExpansion":
      return (part.parts ? joinParts(part.parts, known) : [part.text.slice(1, -1)]).flatMap((text) =>
        spread(`{${text}}`),
      );
    case "SimpleExpansion":
      return valuesOf(part.text.slice(1), known) ?? [part.text];
    case "ParameterExpansion":
      return expanded(part, known);
    case "CommandExpansion":
      return printed(part, known);
    default:
      return ["value" in part ? part.value : part.text];
  }
}

function valuesOf(name: string, { variables, at }: Known): string[] | undefined {
  const values = variables.get(name);
  return name === "PWD" ? [at.directory] : values && [...values];
}

/** `${file%.js}` and the like are read roughly: as the folder, the name, or the whole of what they are cut from. */
function expanded({ parameter, prefix, operation, text }: ParameterExpansionPart, known: Known): string[] {
  const values = (prefix ? undefined : valuesOf(parameter, known)) ?? [text];
  if (!operation) return values;
  const { type, operator } = operation;
  if (type === "Default") return [...(operator.endsWith("+") ? [] : values), ...wordValues(operation.operand, known)];
  if (type !== "Remove") return [text];
  if (operator.startsWith("#")) return values.map((value) => posix.basename(value));
  return operation.operand.text.includes("/") ? values.map((value) => posix.dirname(value)) : values;
}

/** What a simple `$(…)` prints. */
function printed({ text, script }: CommandExpansionPart, known: Known): string[] {
  if (/^(\$\(|`)mktemp\b[^|;&]*$/.test(text)) return ["/tmp/mktemp"]; // wherever it is, it is new
  if (text === "$(pwd)") return [known.at.directory];
  if (text.startsWith("$(git rev-parse --show-toplevel")) return [known.place.workspace];
  const command = script?.commands[0]?.command;
  if (command?.type !== "Command" || command.name?.value !== "dirname") return [text];
  const paths = command.args.flatMap((word) => (word.type === "Word" ? wordValues(word, known) : []));
  return paths.map((path) => posix.dirname(path));
}

/** `{a,b{c,d}}` as a, bc, bd. A sequence such as `{1..9}` has no comma and stays. */
function spread(text: string): string[] {
  const [, before = "", choices, behind = ""] = /^(.*?)\{([^{}]*,[^{}]*)\}(.*)$/s.exec(text) ?? [];
  if (choices === undefined || text.split("{").length > 6) return [text];
  return choices.split(",").flatMap((choice) => spread(before + choice + behind));
}
