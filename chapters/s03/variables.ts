/** What a line does to its variables. Where one may have changed out of sight, its value is no longer known. */
import type { ArithmeticBinary, ArithmeticUnary, Assignment, ParameterExpansionPart } from "unbash";
import { optionValues } from "./matchers.ts";
import { isKnown, wordValues, type Variables } from "./shell-words.ts";

/** A variable that may have two values has none that is known; nor has one that the shell would not take for one word. */
export function assign({ name, value, append }: Assignment, variables: Variables): void {
  const values = value.type === "Word" && !append ? wordValues(value, variables) : [];
  if (name === "IFS" && values.length === 1 && values[0]?.trim() === "") return; // parts no value that is known
  const other = variables.has(name) && variables.get(name) !== values[0];
  const splits = /^$|\s/.test((values[0] ?? "").replace(/\$\([^()]*\)/g, "$"));
  const certain = values.length === 1 && !other && !splits;
  variables.set(name, certain ? values[0] : undefined);
}

/** `${A:=1}` gives A a value when it has none. */
export function assignDefault({ parameter, operation }: ParameterExpansionPart, variables: Variables): void {
  const assigns = operation?.type === "Default" && operation.operator.endsWith("=");
  if (assigns && variables.get(parameter) === undefined) variables.set(parameter, undefined);
}

/** `X = 1`, `X += 1` or `X++` in arithmetic. */
export function assignNumber(node: ArithmeticBinary | ArithmeticUnary, variables: Variables): void {
  const target = node.type === "ArithmeticBinary" ? node.left : node.operand;
  const assigns = /^(\+\+|--|([-+*/%&^|]|<<|>>)?=)$/.test(node.operator);
  if (assigns && target.type === "ArithmeticWord") forget([target.value], variables);
}

/** Code that nobody sees may change any variable; where the line is and whose home it has stay. */
export function forgetAll(variables: Variables): void {
  for (const name of variables.keys()) if (name !== "HOME" && name !== "PWD") variables.set(name, undefined);
}

const SETTERS = new Set(["getopts", "let", "mapfile", "read", "readarray", "unset"]);
const DECLARATIONS = new Set(["declare", "export", "local", "readonly", "typeset"]);

/** Forgets the variables that a built-in command may set. */
export function forgetSet({ name, args }: { name: string; args: string[] }, variables: Variables): void {
  if (name === "source" || name === ".") forgetAll(variables);
  else if (name === "printf") forget(optionValues(args, "-v"), variables);
  else if (name === "wait") forget(optionValues(args, "-p"), variables);
  else if (SETTERS.has(name)) forget(["REPLY", "MAPFILE", ...args], variables);
  else if (DECLARATIONS.has(name)) {
    if (name !== "export" && args.some((arg) => /^-\w*n/.test(arg))) forgetAll(variables); // a second name for another
    forget(
      args.filter((arg) => arg.includes("=") && !isAsSaid(arg, variables)),
      variables,
    );
  }
}

/** Is `A=1` what A is already, because it was read as an assignment? */
function isAsSaid(word: string, variables: Variables): boolean {
  const [name = ""] = word.split("=", 1);
  return variables.get(name) === word.slice(name.length + 1);
}

function forget(words: string[], variables: Variables): void {
  for (const word of words) {
    const [name] = /^\w+/.exec(word) ?? [];
    if (name !== undefined) variables.set(name, undefined);
    else if (!isKnown(word)) forgetAll(variables);
  }
}
