import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join, normalize, relative } from "node:path";
import { shortened } from "shared/shorten";
import { absolutePath, isInside, realPath } from "shared/workspace";

const MAX_STARS = 4; // in one name: with more of them, matching a long name takes minutes
const MAX_BRACKETS = 32; // in one name
const MAX_CHOICES = 1000; // that braces like {a,b} stand for
const MAX_LENGTH = 4096; // characters; no path is longer

/**
 * Finds the files of a folder that match a glob pattern, as paths relative to it, in order. Leaves out `.git` and
 * `node_modules` unless the pattern names them, does not follow links, and passes over what may not be read. Brackets
 * mean both: `[id].ts` finds `i.ts` and `d.ts`, and `[id].ts`, as some frameworks want a file to be called.
 * @param limit how many are enough: the search ends there
 * @throws for a pattern that leads out of the folder or stands for too much; the signal's reason when it aborts
 */
export async function findFiles(
  pattern: string,
  folder: string,
  signal: AbortSignal,
  limit: number,
): Promise<string[]> {
  const names = normalize(pattern).split("/");
  const magic = names.findIndex((name) => /[*?[{]/.test(name));
  const start = names.slice(0, magic < 0 ? undefined : magic).join("/");
  const top = absolutePath(folder, pattern.startsWith("/") ? start || "/" : start);
  if (!isInside(folder, top)) throw new Error(`${pattern} leads out of the workspace: only files in it are found`);
  const way = relative(folder, top);
  const base = way.startsWith("..") ? relative(realPath(folder), realPath(top)) : way; // in by another name
  if (magic < 0) return (await stat(top).catch(() => undefined))?.isFile() ? [base] : [];

  const tooMuch = new Error(
    `${shortened(pattern, 200)} stands for too much: use fewer * and [ in a name and fewer choices in braces`,
  );
  const has = (sign: string, most: number) => names.some((name) => name.split(sign).length > most + 1);
  if (pattern.length > MAX_LENGTH || has("*", MAX_STARS) || has("[", MAX_BRACKETS)) throw tooMuch;
  const { Minimatch } = await import("minimatch"); // when it is needed: the first prompt should not wait for it
  const options = { dot: true, noext: true, nocomment: true, nonegate: true, braceExpandMax: MAX_CHOICES + 1 };
  const matcher = new Minimatch(withBrackets(names.slice(magic).join("/")), options);
  if (matcher.set.length > MAX_CHOICES) throw tooMuch;

  const named = pattern.split(/[/{},]/);
  const skipped = new Set([".git", "node_modules"].filter((name) => !named.includes(name)));
  const found: string[] = [];
  async function search(place: string): Promise<void> {
    const entries = await readdir(join(folder, base, place), { withFileTypes: true }).catch(() => []);
    signal.throwIfAborted();
    for (const entry of inOrder(entries)) {
      const path = join(place, entry.name);
      if (found.length === limit) return;
      if (skipped.has(entry.name)) continue;
      if (entry.isFile() && matcher.match(path)) found.push(join(base, path));
      if (entry.isDirectory() && matcher.match(path, true)) await search(path); // true: the path so far
    }
  }
  await search("");
  return found;
}

/** Lets a name with brackets mean these characters, or itself. */
const withBrackets = (pattern: string) =>
  pattern.replaceAll(/[^/{},\\]+/g, (part) =>
    /\[.+\]/.test(part) ? `{${part},${part.replaceAll(/[[\]]/g, "\\$&")}}` : part,
  );

/** In the order of the paths that are found in them. */
const inOrder = (entries: Dirent[]) => {
  const byKey = new Map(entries.map((entry) => [entry.isDirectory() ? `${entry.name}/` : entry.name, entry]));
  return [...byKey].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry);
};
