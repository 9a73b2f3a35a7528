/** Which of its words a command writes to. */
import { posix } from "node:path";
import { operands, optionValues, sameFor, valueOptions } from "./matchers.ts";

type Writes = (args: string[]) => string[];

const WRITES = new Map<string, Writes>(
  Object.entries({
    ">": (args: string[]) => args,
    ...sameFor("dos2unix ed mkdir mkfifo mktemp nano shred sponge tee truncate unix2dos".split(" "), operands),
    ...sameFor(["fdisk", "gdisk", "parted", "sfdisk", "sgdisk"], (args) =>
      args.some((arg) => /^(-[lpvV]|--(dump|list|print|verify)|print)$/.test(arg)) ? [] : operands(args),
    ),
    ...sameFor(["bunzip2", "bzip2", "gunzip", "gzip", "unxz", "unzstd", "xz", "zstd"], compressed),
    ...sameFor(["bsdtar", "tar"], archived),
    ...sameFor(["chgrp", "chmod", "chown"], behindMode),
    ...sameFor(["install", "rsync", "scp"], destination),
    ...sameFor(["perl", "ruby"], editedFiles),
    ...sameFor(["sed", "gsed"], (args) => [...editedFiles(args), ...writtenByScript(args)]),
    cp: (args: string[]) => (args.some((arg) => /^(-\w*[ls]|--s|--l)/.test(arg)) ? linked(args) : destination(args)),
    cpio: (args: string[]) => optionValues(args, "-D", "--directory"),
    curl: downloaded,
    dd: (args: string[]) => optionValues(args, "of="),
    find: (args: string[]) => optionValues(args, "-fprint", "-fprint0", "-fprintf", "-fls"),
    git: writtenByGit,
    ln: linked,
    mknod: (args: string[]) => operands(args).slice(0, 1),
    mv: (args: string[]) => [...operands(args), ...optionValues(args, "-t", "--target-directory")], // it takes away, too
    patch: patched,
    split: (args: string[]) => operands(args, ["-a", "-b", "-C", "-l", "-n"]).slice(1),
    touch: (args: string[]) => operands(args, ["-d", "-r", "-t"]),
    unzip: (args: string[]) => (args.some((arg) => /^-[lptvZ]/.test(arg)) ? [] : orHere(optionValues(args, "-d"))),
    wget: (args: string[]) => orHere(optionValues(args, "-O", "-P", "--output-document", "--directory-prefix")),
    zip: (args: string[]) => operands(args).slice(0, 1),
  }),
);

/** The words of a command that it writes to: files, and folders in which it makes files. */
export function wordsWritten(name: string, args: string[]): string[] {
  return (WRITES.get(name)?.(args) ?? []).filter(isNoStream);
}

const OUTPUT = ["-o", "-out", "--out-dir", "--outdir", "--outDir", "--outfile"];
const LONG_OUTPUT = ["--output-dir", "--output-document", "--output-file"]; // and so, shortened, --output
const NO_OUTPUT = new Set([
  ..."ag cp docker echo egrep fd fgrep find grep kubectl ls podman".split(" "),
  ..."printf ps rg rsync scp set ssh test unzip zgrep [".split(" "),
]);

/** The words behind `-o` and `--output`: nearly every program writes its result to them. */
export function outputFiles(name: string, args: string[]): string[] {
  return NO_OUTPUT.has(name) ? [] : optionValues(args, ...OUTPUT, ...LONG_OUTPUT).filter(isNoStream);
}

function isNoStream(word: string): boolean {
  return word !== "-";
}

function orHere(words: string[]): string[] {
  return words.length > 0 ? words : ["."];
}

function under(folder: string, path: string): string {
  return /^[/~$`]/.test(path) ? path : `${folder}/${path}`;
}

function destination(args: string[]): string[] {
  const target = optionValues(args, "-t", "--target-directory");
  return target.length > 0 ? target : operands(args).slice(-1);
}

/** A link and what it points to: who writes through a link writes there. */
function linked(args: string[]): string[] {
  const [folder] = optionValues(args, "-t", "--target-directory");
  const words = operands(args).filter((word) => word !== folder);
  const link = folder === undefined ? (words.at(-1) ?? ".") : `${folder}/`;
  const targets = folder === undefined && words.length > 1 ? words.slice(0, -1) : words;

  const has = (option: RegExp) => args.some((arg) => option.test(arg));
  const fromLink = has(/^(-\w*s|--symbolic)/) && !has(/^(-\w*r|--relative)/);
  const base = link.endsWith("/") ? link : posix.dirname(link);
  return [link, ...targets.map((target) => (fromLink ? under(base, target) : target))];
}

function compressed(args: string[]): string[] {
  return args.some((arg) => /^(-\w*[clt]|--stdout|--list|--test)/.test(arg)) ? [] : operands(args);
}

/** The mode of `chmod`, the owner of `chown`: the first word that is no option. A mode may begin with a minus. */
export function isMode(word: string): boolean {
  return !word.startsWith("-") || /^-[rwxXst]/.test(word);
}

function behindMode(args: string[]): string[] {
  return args.slice(args.findIndex(isMode) + 1).filter((arg) => !arg.startsWith("-"));
}

function downloaded(args: string[]): string[] {
  const here = args.some((arg) => /^(-[a-zA-Z]*O|--remote-name)/.test(arg)) ? ["."] : [];
  return [...here, ...optionValues(args, "-D", "-c", "--dump-header", "--cookie-jar")];
}

function patched(args: string[]): string[] {
  const file = operands(args, ["-i", "-p", "-d", "-F"]).slice(0, 1);
  return orHere([...file, ...optionValues(args, "-d", "--directory")]);
}

/** The scripts of `sed` or `perl`, and the files that they are run on. */
function scriptsAndFiles(args: string[]): { scripts: string[]; files: string[] } {
  const given = optionValues(args, "-e", "-f", "--expression", "--file");
  const words = operands(args).filter((arg) => arg !== "" && !given.includes(arg)); // BSD: sed -i '' …
  return given.length > 0 ? { scripts: given, files: words } : { scripts: words.slice(0, 1), files: words.slice(1) };
}

/** The files of `sed -i` and `perl -pi`. Behind `-I` and `-M` of perl come names. */
function editedFiles(args: string[]): string[] {
  return args.some((arg) => /^(-[a-zA-HJ-LN-Z0-9]*i|--i)/.test(arg)) ? scriptsAndFiles(args).files : [];
}

/** `w FILE` in a script of sed: at the start of a command, or behind an address or a substitution. */
function writtenByScript(args: string[]): string[] {
  const write = /(?:(?:^|[;{!])\s*|[^\w\s\\][gpiIm\d]*\s*(?=w\s))w\s*([^\s;}]+)/gm;
  return scriptsAndFiles(args).scripts.flatMap((script) => [...script.matchAll(write)].map(([, file = ""]) => file));
}

function writtenByGit(args: string[]): string[] {
  const known = [...valueOptions("git"), "-b", "--branch", "--depth", "-j", "--jobs", "-o", "--origin", "--reference"];
  const [subcommand = "", ...rest] = operands(args, known);
  if (subcommand === "bundle" && rest[0] === "create") return rest.slice(1, 2);
  if (subcommand === "config" && rest.length > 1 && args.some((arg) => /^--(global|system)$/.test(arg)))
    return ["~/.gitconfig"];
  if (subcommand !== "clone" && subcommand !== "init") return [];
  const folder = optionValues(args.slice(0, args.indexOf(subcommand)), "-C").at(-1) ?? ".";
  return orHere(rest.slice(subcommand === "clone" ? 1 : 0)).map((path) => under(folder, path));
}

/** The archive that `tar` makes, or the folder that it unpacks into. Its first word may be options without a minus. */
function archived([first = "", ...rest]: string[]): string[] {
  const bundled = /^\w+$/.test(first);
  const args = [bundled ? `-${first}` : first, ...rest];
  const has = (option: RegExp) => args.some((arg) => option.test(arg));
  if (has(/^(-\w*[cruA]|--create|--append|--update|--concatenate)/)) {
    return bundled && first.includes("f") ? rest.slice(0, 1) : optionValues(args, "-f", "--file");
  }
  if (!has(/^(-\w*x|--extract|--get)/)) return [];
  return bundled && first.includes("C") ? rest.slice(0, 2) : orHere(optionValues(args, "-C", "--directory"));
}
