/** Which files a command touches, and whose they are: the workspace's, temporary, secret, a device. */
import { tmpdir } from "node:os";
import { posix } from "node:path";
import { isInside } from "shared/workspace";

/** Where a command runs, as absolute paths. */
export interface Place {
  workspace: string;
  home: string;
}

/** A path whose beginning is only known when the line runs. */
export const UNKNOWN_PLACE = "$PWD";

const MAX_PATH = 4096; // no system opens a longer one
const MAX_FOLDERS = 100;

/** A path as seen from a folder, `..` resolved. It begins with `/`, unless its beginning is not known. */
export function pathFrom(directory: string, path: string): string {
  if (directory.length + path.length > MAX_PATH) return UNKNOWN_PLACE;
  return posix.normalize(/^[/$`]/.test(path) ? path : `${directory}/${path}`);
}

const NO_DISK = /^\/dev\/(null|zero|full|u?random|tty\w*|std(in|out|err)|ptmx|(fd|pts|shm|tcp|udp|snd)\/.*)$/;

/** Is it a disk, or the kernel's own door? What is not known to be harmless in `/dev` is taken for a disk. */
export function isDevice(path: string): boolean {
  return (path.startsWith("/dev/") && !NO_DISK.test(path)) || path === "/proc/sysrq-trigger";
}

/** The folder that a pattern empties: all of `/*` or `~/.*` is as good as the folder. */
function withoutPattern(path: string): string {
  return path.replace(/(\/(\[[^\]/]*\]|[*?.])*)+$/, "") || "/";
}

function contains(folder: string, path: string): boolean {
  return folder === "/" || path === folder || path.startsWith(`${folder}/`);
}

/** Would deleting a path take the home folder with it, as `/`, `/*`, `~` and `$HOME/..` do? */
export function isOrContainsHome(path: string, { home }: Place): boolean {
  return path.startsWith("/") && contains(withoutPattern(path), home);
}

const TEMPORARY = ["/tmp", "/var/tmp", "/private/tmp", tmpdir()];

/** Whose is a path? What begins with something that is not known may be anywhere. */
export function ownerOf(path: string, { workspace }: Place): "workspace" | "temporary" | "others" {
  if (/^\/dev\/(null|zero|full|tty|std(in|out|err)|fd\/\d+)$/.test(path)) return "temporary";
  const folder = withoutPattern(path);
  if (path.split("/").length > MAX_FOLDERS) return "others"; // the disk is asked about each
  if (!path.startsWith("/") || (contains(folder, workspace) && folder !== workspace)) return "others";
  if (isInside(workspace, path)) return "workspace";
  return TEMPORARY.some((place) => folder !== place && isInside(place, folder)) ? "temporary" : "others";
}

const SECRET =
  /^\.(ssh|aws|gnupg|kube|docker|netrc|git-credentials|npmrc|pypirc|azure|config\/(gcloud|gh))(\/(?!.*\.pub$|known_hosts).*)?$/;

/** Is it one of the places where keys and passwords are kept? */
export function isSecret(path: string, { home }: Place): boolean {
  return path.startsWith(`${home}/`) && SECRET.test(path.slice(home.length + 1));
}

/** The words that are neither options nor values of the given options. Behind `--` every word is one. */
export function operands(args: string[], withValue = /^$/): string[] {
  const end = args.includes("--") ? args.indexOf("--") : args.length;
  const before = args
    .slice(0, end)
    .filter((arg, i) => !/^-./.test(arg) && !(i > 0 && withValue.test(args[i - 1] ?? "")));
  return [...before, ...args.slice(end + 1)];
}

/** The values of an option: what its pattern catches, or the next word. */
export function optionValues(args: string[], option: RegExp): string[] {
  return args.flatMap((arg, i) => {
    const match = option.exec(arg);
    return match ? [match[1] ?? args[i + 1] ?? ""] : [];
  });
}

/** The files into which `curl` and `wget` load something. */
export function filesLoaded(name: string, args: string[]): string[] {
  if (name !== "curl" && name !== "wget") return [];
  const named = optionValues(
    args,
    name === "curl" ? /^(?:-\w*o|--output(?:=(.+))?)$/ : /^(?:-\w*O|--output-document(?:=(.+))?)$/,
  );
  const byUrl = name === "wget" ? named.length === 0 : args.some((arg) => /^(-\w*O|--remote-name)$/.test(arg));
  return byUrl ? operands(args).map((url) => posix.basename(url)) : named.filter((file) => file !== "-");
}

/** Programs that write to all their operands, to the last, or to the first. */
const WRITE_ALL = /^(>|tee|touch|mkdir|mkfifo|truncate|shred|ed|nano|mv|chmod|chown|chgrp|dos2unix|unix2dos)$/;
const WRITE_LAST = /^(cp|ln|install|rsync|scp|split)$/;
const COMPRESS = /^(gzip|gunzip|bzip2|xz)$/;
const EDIT = /^(g?sed|perl|ruby)$/;
/** For these `-o` is something else than a file. */
const NO_OUTPUT =
  /^(.?grep|rg|ag|find|ls|ps|set|test|\[|mount|lsof|ssh|sh|bash|zsh|env|docker|podman|kubectl|az|xargs)$/;

/** The words of a command that it writes to: files, and folders in which it makes files. */
export function wordsWritten(name: string, args: string[]): string[] {
  const has = (option: RegExp) => args.some((arg) => option.test(arg));
  const words = operands(args, /^-[dmsogb]$/).filter((word) => word !== "" && word !== "-");
  const into = optionValues(args, /^(?:-t|--target-dir\w*(?:=(.+))?)$/);
  const outputs = optionValues(
    args,
    /^(?:-\w*o|(?:of|--output|--out-?dir|--outfile|--output-dir)=(.+)|--output|--out-?dir)$/,
  );
  if (WRITE_ALL.test(name)) return [...words, ...into];
  if (WRITE_LAST.test(name)) return into.length > 0 ? into : words.slice(-1).filter((word) => !isRemote(word));
  if (COMPRESS.test(name)) return has(/^-\w*[clt]/) ? [] : words;
  if (EDIT.test(name)) {
    if (!has(/^(-[a-zA-HJ-LN-Z0-9]*i|--in-place)/)) return [];
    const scripts = optionValues(args, /^(?:-\w*e|--expression(?:=(.+))?)$/);
    return scripts.length > 0 ? words.filter((word) => !scripts.includes(word)) : words.slice(1);
  }
  if (name === "git") return writtenByGit(args);
  if (name === "tar") return writtenByTar(args);
  if (name === "zip") return words.slice(0, 1);
  if (name === "unzip" || name === "patch") return optionValues(args, /^-d$/);
  if (name === "curl" || name === "wget") return [...filesLoaded(name, args), ...optionValues(args, /^-P$/)];
  return NO_OUTPUT.test(name) ? [] : outputs.filter((word) => word !== "-");
}

/** The archive that `tar` makes, or the folder that it unpacks into. Its first word may be options without a minus. */
function writtenByTar([first = "", ...rest]: string[]): string[] {
  const args = [/^\w+$/.test(first) ? `-${first}` : first, ...rest];
  if (/^(-\w*[cru]|--create)/.test(args[0] ?? "")) return optionValues(args, /^(?:-\w*f\w*|--file=(.+))$/);
  const into = optionValues(args, /^(?:-\w*C|--directory(?:=(.+))?)$/);
  return into.length > 0 || !/^(-\w*x|--extract)/.test(args[0] ?? "") ? into : ["."];
}

/** Is it a place on another machine, as `host:path`? */
export const isRemote = (word: string) => /^([\w.$-]+@)?[\w.${}-]{2,}:/.test(word);

/** What changes another repository is written there, too. */
const GIT_WRITES =
  /^(add|am|apply|checkout|cherry-pick|clean|commit|merge|mv|pull|rebase|reset|restore|revert|rm|switch)$/;

function writtenByGit(args: string[]): string[] {
  const folder = optionValues(args, /^-C$/)[0] ?? ".";
  const [verb = "", ...words] = operands(args, /^(-[CcbBj]|--(git-dir|work-tree|branch|depth))$/);
  const under = (path = ".") => [/^[/$]/.test(path) ? path : `${folder}/${path}`];
  if (verb === "clone" || (verb === "worktree" && words[0] === "add")) return under(words[1]);
  if (verb === "init") return under(words[0]);
  if (verb === "config" && words.length > 1 && args.some((arg) => /^--(global|system)$/.test(arg)))
    return ["$HOME/.gitconfig"];
  return GIT_WRITES.test(verb) ? [folder] : [];
}
