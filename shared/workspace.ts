import { readlinkSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join, relative, resolve, sep } from "node:path";

/** A path as an agent in a workspace means it, as an absolute one: `~` is the user's home folder. */
export const absolutePath = (workspace: string, path: string): string =>
  resolve(workspace, path.replace(/^~(?=\/|$)/, homedir()));

const MAX_LINKS = 100; // in one path; more go round in a circle

/**
 * Where an absolute path really leads: links resolved, also when its end does not exist yet. What lies beyond links that
 * go round in a circle is not resolved; whoever opens it learns that.
 */
export function realPath(path: string): string {
  let place = path;
  for (let links = 0; links < MAX_LINKS; links++) {
    const { existing, rest } = existingPart(place);
    const [name, ...others] = rest;
    if (name === undefined) return existing;
    // A link to something that does not exist yet would be written through.
    const target = linkTarget(join(existing, name));
    if (target === undefined) return join(existing, ...rest);
    place = resolve(existing, target, ...others);
  }
  return place;
}

/** The part of a path that exists, links resolved, and the names of the rest. */
function existingPart(path: string): { existing: string; rest: string[] } {
  for (let end = path.length; end >= 0; end = path.lastIndexOf(sep, end - 1)) {
    try {
      const existing = realpathSync.native(path.slice(0, end) || sep);
      return {
        existing,
        rest: path
          .slice(end + 1)
          .split(sep)
          .filter(Boolean),
      };
    } catch {
      // it does not exist, or not all of it
    }
    if (end === 0) break;
  }
  return { existing: path, rest: [] };
}

function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** Does a path, taken from the workspace, stay in it? Both are compared as they are after resolving all links. */
export function isInside(workspace: string, path: string): boolean {
  const way = relative(realPath(workspace), realPath(absolutePath(workspace, path)));
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
