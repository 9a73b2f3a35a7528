import { relative, resolve } from "node:path";
import { Readable } from "node:stream";
import { isInside } from "shared/workspace";

const MAX_STARS = 4; // in one name: with more of them, matching a long name takes minutes
const MAX_CHOICES = 1000; // that braces like {a,b} stand for

/**
 * Finds the files of a folder that match a glob pattern, as paths relative to it. Leaves out `.git` and `node_modules`
 * unless the pattern names them, does not follow links, and passes over what may not be read.
 * @throws for a pattern that leads out of the folder or stands for too much; the signal's reason when it aborts
 */
export async function findFiles(pattern: string, folder: string, signal: AbortSignal): Promise<string[]> {
  const names = pattern.split("/");
  const magic = names.findIndex((name) => /[*?[{]/.test(name));
  const start = names.slice(0, magic < 0 ? undefined : magic).join("/");
  if (!isInside(folder, pattern.startsWith("/") ? start || "/" : start)) {
    throw new Error(`${pattern} leads out of the workspace: only files in it are found`);
  }
  if (names.some((name) => name.split("*").length > MAX_STARS + 1) || choices(pattern) > MAX_CHOICES) {
    throw new Error(`${pattern} stands for too much: use fewer * in a name and fewer choices in braces`);
  }

  const { default: glob } = await import("fast-glob"); // when it is needed: the first prompt should not wait for it
  const named = pattern.split(/[/{},]/);
  const ignore = [".git", "node_modules"].filter((name) => !named.includes(name)).map((name) => `**/${name}/**`);
  const options = { cwd: folder, dot: true, ignore, followSymbolicLinks: false, extglob: false, suppressErrors: true };
  const found = await Readable.from(glob.stream(pattern, options)).toArray({ signal });
  return found
    .filter((path) => isInside(folder, path))
    .map((path) => relative(folder, resolve(folder, path)))
    .toSorted();
}

/** How many patterns the braces of a pattern stand for, at the most. */
function choices(pattern: string): number {
  const groups = [...pattern.matchAll(/\{([^{}]*)/g)].map(([, group = ""]) => group);
  return groups.reduce((count, group) => count * (group.includes("..") ? MAX_CHOICES : group.split(",").length), 1);
}
