/** What the reader of shell lines carries along: the commands found so far, and what they see of the line around them. */
import type { Known } from "./words.ts";

/** What a command reads, as far as the line tells: a text, paths that `find` prints, or what nobody has seen. */
export interface Stdin {
  input?: string;
  paths?: string[];
  piped?: boolean;
}

/** One command of a line: behind `&&` or `|`, in `$( )`, in `sh -c "…"`, behind `env` … `> file` is one with the name `>`. */
export interface ShellCommand extends Stdin {
  /** Its name without folders; when that is not `isKnown`, nobody can say before it runs what it is. */
  name: string;
  args: string[];
  /** Where it runs, as far as `cd` shows it: absolute, or beginning with something that is not known. */
  directory: string;
  /** Are its words only taken for a command, because the program before them is not known? */
  assumed: boolean;
  /** Does it run code that nobody has seen? */
  unseen?: boolean;
  /** Does a function call itself here through a pipe or in the background? That is a fork bomb. */
  forks: boolean;
}

/** What a command sees of the line around it. `commands`, `problems` and `made` are the same for all. */
export interface Scope extends Known {
  commands: ShellCommand[];
  problems: Set<string>;
  /** The files that the line writes, with the text that it gives them; `undefined` for what comes from the network. */
  made: Map<string, string | undefined>;
  /** The functions that there are, and those around the command. */
  functions: Set<string>;
  inside: string[];
  stdin: Stdin;
  detached: boolean;
  assumed: boolean;
  depth: number;
  spent: { size: number };
}

// More than any honest line needs: characters and words, and scripts in scripts.
const MAX_SIZE = 2_000_000;
const MAX_DEPTH = 20;

/** Counts what is read, and throws a `RangeError` past the limits. */
export function spend(amount: number, { spent, depth }: Scope): void {
  spent.size += amount;
  if (spent.size > MAX_SIZE || depth > MAX_DEPTH) throw new RangeError("more than any honest line needs");
}

/** A subshell has a folder of its own. */
export const copy = (scope: Scope): Scope => ({ ...scope, at: { ...scope.at } });

/** Notes what a variable may be. */
export function give(name: string, values: string[], scope: Scope): void {
  spend(values.length, scope);
  scope.variables.set(name, new Set([...(scope.variables.get(name) ?? []), ...values]));
}

export function addCommand(name: string, args: string[], scope: Scope): ShellCommand {
  const forks = scope.detached && scope.inside.includes(name);
  const command = { name, args, ...scope.stdin, directory: scope.at.directory, assumed: scope.assumed, forks };
  scope.commands.push(command);
  return command;
}
