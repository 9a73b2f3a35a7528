/** What the words of a shell line say before it runs: quotes taken off, braces spread, known variables filled in. */
import { posix } from "node:path";
import type { ParameterRemoveOperation, Word, WordPart } from "unbash";

/** The variables a line gives a value to. `undefined`: it has one, but which is only known when the line runs. */
export type Variables = Map<string, string | undefined>;

/**
 * The words that a word becomes: several when it has braces. What only the shell can know (`$CMD`, `$(date)`, `*.txt`)
 * stays as it is written, see `isKnown`.
 */
export function wordValues(word: Word, variables: Variables): string[] {
  return word.parts ? joinParts(word.parts, variables, false) : [word.value];
}

/** Is a word a plain text, with nothing in it that the shell fills in when the line runs? */
export function isKnown(word: string): boolean {
  return !/[$`*?{}]|\[.|[@!+]\(|^[<>]\(/.test(word);
}

function joinParts(parts: readonly WordPart[], variables: Variables, quoted: boolean): string[] {
  let joined = [""];
  for (const part of parts) {
    const values = partValues(part, variables, quoted);
    // {a,b}{a,b}{a,b}… doubles with every pair: past a sensible number it stays one unknown word.
    if (joined.length * values.length > 100) return [parts.map(({ text }) => text).join("")];
    joined = joined.flatMap((head) => values.map((value) => head + value));
  }
  return joined;
}

function partValues(part: WordPart, variables: Variables, quoted: boolean): string[] {
  switch (part.type) {
    case "Literal":
    case "Glob":
    case "SingleQuoted":
    case "AnsiCQuoted":
      return [part.value];
    case "DoubleQuoted":
    case "LocaleString":
      return joinParts(part.parts, variables, true);
    case "BraceExpansion": {
      const inside = part.parts ? joinParts(part.parts, variables, quoted) : [part.text.slice(1, -1)];
      return inside.flatMap((text) => spreadBraces(`{${text}}`));
    }
    case "SimpleExpansion":
      return [valueOf(part.text.slice(1), variables, quoted) ?? part.text];
    case "ParameterExpansion": {
      const { prefix, index, operation, parameter, text } = part;
      const value = prefix || index ? undefined : valueOf(parameter, variables, quoted);
      if (value === undefined) return [text];
      if (operation?.type === "Remove") return [withoutPart(value, operation, variables) ?? text];
      // ${file:-x} and ${file:?} are $file itself when it has a value
      const keeps = !operation || (operation.type === "Default" && !operation.operator.endsWith("+"));
      return [keeps ? value : text];
    }
    case "CommandExpansion":
      return [(part.text === "$(pwd)" ? variables.get("PWD") : folderOf(part.text, variables)) ?? part.text];
    default:
      return [part.text];
  }
}

/** The value of a variable, if it is known and one word: without quotes, it is split at what `IFS` says. */
function valueOf(name: string, variables: Variables, quoted: boolean): string | undefined {
  const value = variables.get(name);
  if (quoted || !variables.has("IFS")) return value;
  const separator = variables.get("IFS") ?? "";
  return separator.length === 1 && isKnown(separator) && !value?.includes(separator) ? value : undefined;
}

/** What `$(dirname "$A")` prints. */
function folderOf(text: string, variables: Variables): string | undefined {
  const [, name = ""] = /^\$\(dirname "?\$\{?(\w+)\}?"?\)$/.exec(text) ?? [];
  const path = variables.get(name) ?? "$";
  return isKnown(path.split("/", 1).join()) ? posix.dirname(path) : undefined;
}

/** What `${A%.js}` or `${A%%.*}` leaves of a value; nothing for other patterns, and when it leaves nothing. */
function withoutPart(
  value: string,
  { operator, operand }: ParameterRemoveOperation,
  variables: Variables,
): string | undefined {
  const [pattern = ""] = wordValues(operand, variables);
  const atEnd = operator.startsWith("%");
  if (!(atEnd ? /^[\w./:=@-]+\*?$/ : /^\*?[\w./:=@-]+$/).test(pattern)) return undefined;
  // `%%` removes the longest part, and leaves the shortest.
  const [star, rest] = operator.length === 1 ? [".*?", "(.*)"] : [".*", "(.*?)"];
  const part = pattern.replaceAll(".", "\\.").replace("*", star);
  const [, left] = new RegExp(atEnd ? `^${rest}${part}$` : `^${part}${rest}$`, "s").exec(value) ?? [value, value];
  return left || undefined;
}

/** `{a,b{c,d}}` as a, bc, bd. A sequence such as `{1..9}` has no comma and stays. */
function spreadBraces(text: string): string[] {
  const choices = [""];
  let depth = 0;
  for (const char of text.slice(1, -1)) {
    if (char === "{") depth += 1;
    if (char === "}") depth -= 1;
    if (char === "," && depth === 0) choices.push("");
    else choices.push((choices.pop() ?? "") + char);
  }
  return choices.length === 1 ? [text] : choices.flatMap(spreadInside);
}

function spreadInside(text: string): string[] {
  const start = text.indexOf("{");
  const end = text.lastIndexOf("}");
  if (start < 0 || end < start || text[start - 1] === "$") return [text];
  return spreadBraces(text.slice(start, end + 1)).map((middle) => text.slice(0, start) + middle + text.slice(end + 1));
}
