/** What texts say that are no shell: code in other languages, and what commands print. */
import { operands } from "./paths.ts";
import type { ShellCommand } from "./scope.ts";
import { isKnown } from "./words.ts";

const DELETES =
  /\b(?:rmtree|(?:os|fs|path|Deno|File|FileUtils|Files|shutil|promises)\.(?:rm|remove|unlink|delete)\w*|rm(?:dir)?Sync|unlink(?:Sync)?|rmdir|rimraf|remove_tree)\b[\s(]*(?:[rbf]?(["'`])(.*?)\1)?/g;
const STARTS = /\b(system|popen|subprocess|exec\w*|spawn\w*|child_process|Popen|qx|shell_exec|passthru|Command|run)\b/;

/** The paths that code deletes, and where it starts programs, its texts: they may be the commands. */
export function inCode(language: string, code: string): { deleted: string[]; texts: string[] } {
  const deleted = Array.from(code.matchAll(DELETES), ([, , path]) => path || "$CODE");
  const starts = STARTS.test(code) || (/^(perl|ruby|php)/.test(language) && code.includes("`"));
  const texts = starts ? code.matchAll(/(["'`])((?:\\.|(?!\1)[^\\])*)\1/gs) : [];
  return { deleted, texts: Array.from(texts, ([, , text = ""]) => text) };
}

/** Where `find` starts. */
export function startsOf(args: string[]): string[] {
  const tests = args.findIndex((arg) => /^[-(!]/.test(arg) && !/^-[HLP]$/.test(arg));
  const starts = args.slice(0, tests < 0 ? args.length : tests).filter((arg) => !arg.startsWith("-"));
  return starts.length > 0 ? starts : ["."];
}

/** The paths that a command prints, as far as its words tell. */
export function pathsPrinted({ name, args, paths = [] }: ShellCommand): string[] {
  if (name === "find") return startsOf(args).map((start) => `${start}/{}`);
  return name === "ls" ? operands(args) : /^(sort|head|tail|grep|uniq)$/.test(name) ? paths : [];
}

/** The text that a command prints, if it stands in the line. */
export function textPrinted({ name, args, input }: ShellCommand): string | undefined {
  if (name === "cat" && args.length === 0) return input;
  const words = args.filter((arg) => !/^-[neE]+$/.test(arg));
  return /^(echo|printf)$/.test(name) && args.every(isKnown) ? words.join(" ") : undefined;
}
