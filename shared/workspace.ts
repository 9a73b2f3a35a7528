import { readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";

/**
 * Where a path really leads: links resolved, also when its end does not exist yet. Links that go round in a circle lead
 * nowhere; who opens them learns that.
 */
export function realPath(path: string): string {
  let circle = false;
  try {
    return realpathSync.native(path);
  } catch (error) {
    circle = error instanceof Error && "code" in error && error.code === "ELOOP";
  }
  const parent = dirname(path);
  if (parent === path) return path;
  // A link to something that does not exist yet would be written through.
  const target = circle ? undefined : linkTarget(path);
  return target === undefined ? join(realPath(parent), basename(path)) : realPath(resolve(parent, target));
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
  const way = relative(realPath(workspace), realPath(resolve(workspace, path)));
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
