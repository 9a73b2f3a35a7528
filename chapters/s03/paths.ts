/** Where commands write and delete, and which places are whose. */
import { tmpdir } from "node:os";
import { posix } from "node:path";
import { isInside } from "shared/workspace";
import type { ShellCommand } from "./shell-commands.ts";
import { outputFiles, wordsWritten } from "./writes.ts";

/** Where a command runs, as absolute paths. */
export interface Place {
  workspace: string;
  home: string;
}

/** A path whose beginning is only known when the line runs. */
export const UNKNOWN_PLACE = "$PWD";

/** No system opens a longer path. */
export const MAX_PATH = 4096;

/** The files a command writes to. A path begins with `/`, unless where it begins is only known when it runs. */
export function pathsWritten({ name, args, given, directory, inner }: ShellCommand, { home }: Place): string[] {
  const output = inner.length > 0 ? [] : outputFiles(name, args); // `timeout 5 grep -o x`: the option is not its own
  return [...wordsWritten(name, [...args, ...given]), ...output].map((path) => pathFrom(directory, path, home));
}

/** A path as seen from a folder, `~` and `..` resolved. It begins with `/`, unless its beginning is not known. */
export function pathFrom(directory: string, path: string, home: string): string {
  if (directory.length + path.length > MAX_PATH) return UNKNOWN_PLACE;
  const [user = ""] = path.split("/", 1);
  if (user === "~" || user === `~${posix.basename(home)}`) return posix.normalize(home + path.slice(user.length));
  return posix.normalize(/^[/$`~]/.test(path) ? path : `${directory}/${path}`);
}

/** Devices that are no disk. What is not known to be harmless is taken for one. */
const NO_DISK = /^\/dev\/(null|zero|full|u?random|tty\w*|std(in|out|err)|ptmx|(fd|pts|shm|tcp|udp|snd)\/.*)$/;

/** Is it a disk, or the kernel's own door? */
export function isDevice(path: string): boolean {
  return (path.startsWith("/dev/") && !NO_DISK.test(path)) || path === "/proc/sysrq-trigger";
}

/** A temporary file or folder that the line makes itself, or the place for such. */
const TEMPORARY = /^\$(\(mktemp( -[dtu])*( [\w./-]+)?\)|TMPDIR|\{TMPDIR(:?-\/tmp\/?)?\})(\/|$)/;

/** May a file be written without a question: in the workspace, or where temporary files go? */
export function mayWrite(path: string, { workspace }: Place): boolean {
  if (/^\/dev\/(null|zero|full|tty|std(in|out|err)|fd\/\d+)$/.test(path) || TEMPORARY.test(path)) return true;
  return path.startsWith("/") && [workspace, tmpdir(), "/tmp", "/var/tmp"].some((folder) => isInside(folder, path));
}

/** Would deleting a path take the home folder with it, as `/`, `/*`, `~` and `$HOME/..` do? */
export function holdsHome(path: string, { directory }: ShellCommand, { home }: Place): boolean {
  const names = pathFrom(directory, path, home).split("/");
  if (names[0] !== "") return false; // nobody knows
  // all that is in a folder (`/*`, `~/.*`, `/[a-z]*`) is as good as the folder
  while (/^(\[[^\]]*\]|[*?.])*$/.test(names.at(-1) ?? "x")) names.pop();
  const folder = names.join("/");
  return home === folder || home.startsWith(`${folder}/`);
}
