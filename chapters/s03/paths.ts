/** Where commands write and delete, and which places are whose. */
import { tmpdir } from "node:os";
import { posix } from "node:path";
import { isInside } from "shared/workspace";
import { operands, optionValues } from "./matchers.ts";
import type { ShellCommand } from "./shell-commands.ts";

/** Where a command runs, as absolute paths. */
export interface Place {
  workspace: string;
  home: string;
}

/** Which of its words a command writes to. */
const WRITES = new Map<string, (args: string[]) => string[]>(
  Object.entries({
    ">": (args: string[]) => args,
    tee: operands,
    touch: operands,
    mkdir: operands,
    truncate: operands,
    mv: (args: string[]) => [...operands(args), ...optionValues(args, "-t", "--target-directory")], // it takes away, too
    chmod: (args: string[]) => operands(args).slice(1),
    chown: (args: string[]) => operands(args).slice(1),
    cp: destination,
    ln: destination,
    install: destination,
    rsync: destination,
    dd: (args: string[]) => optionValues(args, "of="),
    sed: (args: string[]) => (args.some((arg) => /^(-\w*i|--in-place)/.test(arg)) ? sedFiles(args) : []),
    curl: (args: string[]) => optionValues(args, "-o", "--output", "--output-dir"),
    wget: (args: string[]) => optionValues(args, "-O", "--output-document", "-P", "--directory-prefix"),
    tar: (args: string[]) => optionValues(args, "-C", "--directory"),
    unzip: (args: string[]) => optionValues(args, "-d"),
  }),
);

function destination(args: string[]): string[] {
  const target = optionValues(args, "-t", "--target-directory");
  return target.length > 0 ? target : operands(args).slice(-1);
}

function sedFiles(args: string[]): string[] {
  const scripts = optionValues(args, "-e", "-f", "--expression", "--file");
  const words = operands(args).filter((arg) => arg !== "" && !scripts.includes(arg)); // BSD: sed -i '' …
  return scripts.length > 0 ? words : words.slice(1);
}

/** The files a command writes to. A path begins with `/`, unless where it begins is only known when it runs. */
export function pathsWritten({ name, args, directory }: ShellCommand, { home }: Place): string[] {
  return (WRITES.get(name)?.(args) ?? []).map((path) => pathFrom(directory, path, home));
}

/** A path as seen from a folder, `~` and `..` resolved. It begins with `/`, unless its beginning is not known. */
export function pathFrom(directory: string, path: string, home: string): string {
  if (/^~(\/|$)/.test(path)) return posix.normalize(home + path.slice(1));
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
  // all that is in a folder (`/*`, `~/.*`, `/[a-z]*`) is as good as the folder
  while (/^(\[[^\]]*\]|[*?.])*$/.test(names.at(-1) ?? "x")) names.pop();
  const folder = names.join("/");
  return home === folder || home.startsWith(`${folder}/`);
}
