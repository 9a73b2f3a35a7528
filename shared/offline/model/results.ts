/** Reading what tools answered. */
import { stripVTControlCharacters } from "node:util";

/** What a tool says when there is nothing to say. */
const NOTHING = /^\((?:no output|no matches|empty(?: file)?)\)$/;

/** The beginning of a text, no character cut in half. */
export const cut = (text: string, length: number): string => text.slice(0, length).toWellFormed();

export const isNothing = (output: string): boolean => output === "" || NOTHING.test(output.trim());

/** An output as it is to be shown: without colours, and empty where a tool says that there is nothing. */
export const tidy = (output: string): string => (isNothing(output) ? "" : stripVTControlCharacters(output).trimEnd());

/** The lines of the outcomes, as paths from the workspace. */
export function linesOf(outcomes: { output: string }[]): string[] {
  return outcomes
    .flatMap(({ output }) => tidy(output).split("\n"))
    .map((line) => line.replace(/^\.\//, ""))
    .filter((line) => line.trim() !== "");
}

/** A file's own text, of an answer that numbers its lines. */
export function plain(output: string): string {
  if (isNothing(output)) return "";
  const lines = output.split("\n");
  const number = /^\s*\d+(?:\t|→|\| ?)/;
  return lines.every((line, i) => number.test(line) || (line === "" && i === lines.length - 1))
    ? lines.map((line) => line.replace(number, "")).join("\n")
    : output;
}

/** How a text begins and ends: the last line of a command's output tells how it went. */
export function excerpt(output: string): string {
  const lines = tidy(output)
    .split("\n")
    .map((line) => (line.length > 400 ? `${cut(line, 400)}…` : line));
  return lines.length > 20 ? [...lines.slice(0, 10), "…", ...lines.slice(-9)].join("\n") : lines.join("\n");
}

/** The name and description of a package, the first heading of a text, else its first line. */
export const headline = (text: string): string => cut(title(text) ?? tidy(text).trimStart().split("\n")[0] ?? "", 200);

export function title(text: string): string | undefined {
  const start = cut(text, 20_000);
  const field = (name: string): string | undefined => new RegExp(`"${name}":\\s*"([^"\n]+)"`).exec(start)?.[1];
  const heading = /^(?:\s*\d+\s*[\t|:→]?)?[ \t]*#[ \t]+(.+)$/m.exec(start)?.[1];
  const fields = [field("name"), field("description")].filter((value) => value !== undefined);
  return /^\W*\d*\W*\{/.test(start) && fields.length > 0 ? fields.join(": ") : heading;
}
