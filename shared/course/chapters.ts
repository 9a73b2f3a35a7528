/** The chapters there are, as they lie in chapters/: nothing else knows their names. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../settings.ts";
import { complain } from "./command.ts";

export interface Chapter {
  /** Such as `s05`. */
  name: string;
  folder: string;
  /** Its program, its tests and the reader's own version, as absolute paths; the last need not exist. */
  code: string;
  test: string;
  exercise: string;
}

/** All chapters, in their order. */
export function findChapters(): Chapter[] {
  return readdirSync(join(repositoryRoot, "chapters"))
    .filter((name) => /^s\d\d$/.test(name))
    .toSorted()
    .map(chapterAt)
    .filter(({ code }) => existsSync(code));
}

function chapterAt(name: string): Chapter {
  const folder = join(repositoryRoot, "chapters", name);
  const file = (base: string) => join(folder, base);
  return { name, folder, code: file("code.ts"), test: file("code.test.ts"), exercise: file("exercise.ts") };
}

/**
 * A chapter by its name: `s05`, also as `5` or `chapters/s05/code.ts`. Ends the program with a line that says what
 * there is when there is no such chapter.
 */
export function findChapter(words: string): Chapter {
  const chapters = findChapters();
  const [, number] = /^(?:chapters\/)?s?(\d+)(?:\/.*)?$/i.exec(words) ?? [];
  const chapter = chapters.find(({ name }) => Number(name.slice(1)) === Number(number));
  if (!chapter) complain(`There is no chapter ${words}; there are ${chapters.map(({ name }) => name).join(", ")}.`);
  return chapter;
}

/** What a chapter is called: the words before the colon in the first line of its code. */
export function titleOf({ code }: Chapter): string {
  const [, title] = /^\/\*\* s\d\d · ([^:.]+)[:.]/.exec(readFileSync(code, "utf8")) ?? [];
  if (!title) throw new Error(`${code} begins with no docstring such as "s05 · Todo write: …"`);
  return title;
}

/** The files beside code.ts that belong to the program: neither a test, nor the reader's, nor one that stands alone. */
export function partsOf({ folder }: Chapter): { name: string; lines: number }[] {
  return readdirSync(folder)
    .filter(
      (name) =>
        name.endsWith(".ts") &&
        !name.endsWith(".test.ts") &&
        !["code.ts", "exercise.ts", "take-home.ts"].includes(name),
    )
    .map((name) => ({ name, lines: countLines(readFileSync(join(folder, name), "utf8")) }));
}

/** A file's lines, counted as `wc` does. */
export const countLines = (text: string): number => text.split("\n").length - 1;
