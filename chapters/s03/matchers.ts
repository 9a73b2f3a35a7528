/** What the rules are made of: names, subcommands and options of a command. */
import type { ShellCommand } from "./shell-commands.ts";

export type Matcher = (command: ShellCommand) => boolean;

export function either(...matchers: Matcher[]): Matcher {
  return (command) => matchers.some((matches) => matches(command));
}

export function both(...matchers: Matcher[]): Matcher {
  return (command) => matchers.every((matches) => matches(command));
}

export function not(matches: Matcher): Matcher {
  return (command) => !matches(command);
}

export function named(...names: string[]): Matcher {
  return ({ name }) => names.includes(name);
}

export function has(...flags: string[]): Matcher {
  return ({ args }) => flags.some((flag) => hasFlag(args, flag));
}

/** Matches commands like "git branch -D": this program, these subcommands first, these options anywhere. */
export function says(...phrases: string[]): Matcher {
  return either(...phrases.map((phrase) => saysOne(phrase.split(" "))));
}

function saysOne([program, ...words]: string[]): Matcher {
  const subcommands = words.filter((word) => !word.startsWith("-"));
  const flags = words.filter((word) => word.startsWith("-"));
  return ({ name, args }) => {
    if (name !== program) return false;
    const given = operandsOf({ name, args });
    return subcommands.every((word, i) => given[i] === word) && flags.every((flag) => hasFlag(args, flag));
  };
}

const VALUE_OPTIONS = new Map(
  Object.entries({
    git: ["-C", "-c", "--git-dir", "--work-tree", "--namespace", "--config-env"],
    npm: ["--prefix", "-w", "--workspace"],
    pnpm: ["-C", "--dir", "-F", "--filter"],
    yarn: ["--cwd"],
    docker: ["-H", "--host", "-c", "--context", "--config", "-f", "--file", "-p", "--project-name"],
    "docker-compose": ["-f", "--file", "-p", "--project-name"],
    kubectl: ["-n", "--namespace", "--context", "--kubeconfig"],
    helm: ["-n", "--namespace", "--kube-context"],
    aws: ["--profile", "--region"],
    systemctl: ["-H", "--host", "-M", "--machine"],
    tmux: ["-c", "-f", "-L", "-S"],
  }),
);

/** A table's rows for names of which the same is true. */
export function sameFor<Row>(names: string[], row: Row): Record<string, Row> {
  return Object.fromEntries(names.map((name) => [name, row]));
}

/** The subcommands of a command and what they are given, without options: `push`, `origin` for `git -C a push -f origin`. */
export function operandsOf({ name, args }: Pick<ShellCommand, "name" | "args">): string[] {
  return operands(args, valueOptions(name));
}

/** Options of a program, before its subcommand, whose value is a word of its own. */
export function valueOptions(name: string): string[] {
  return VALUE_OPTIONS.get(name) ?? [];
}

/** The words that are neither options nor values of the given options. Behind `--` every word is one. */
export function operands(args: string[], withValue: string[] = []): string[] {
  const end = endOfOptions(args);
  const before = args.slice(0, end).filter((arg, i) => !/^-./.test(arg) && !withValue.includes(args[i - 1] ?? ""));
  return [...before, ...args.slice(end + 1)];
}

const LONG_NAMES = new Map(
  Object.entries({
    "-d": "--delete",
    "-f": "--force",
    "-l": "--list",
    "-R": "--recursive",
    "-S": "--staged",
    "-v": "--volumes",
    "-W": "--worktree",
  }),
);

/** Is an option given? `-f` also within `-xdf` or by its long name; that also as `--force=…` or shortened, `--fo`. */
function hasFlag(args: string[], flag: string): boolean {
  const long = flag.startsWith("--") ? flag : LONG_NAMES.get(flag);
  return args.slice(0, endOfOptions(args)).some((arg) => {
    if (!arg.startsWith("--")) return flag !== long && /^-\w/.test(arg) && arg.includes(flag.slice(1));
    const [name = ""] = arg.split("=");
    return name === long || (name.length > 3 && long?.startsWith(name) === true);
  });
}

function endOfOptions(args: string[]): number {
  const end = args.indexOf("--");
  return end < 0 ? args.length : end;
}

/** The values of options, as words of their own (`-o x`, `-so x`, `--outp x`) or in one (`-ox`, `-sox`, `--output=x`, `of=x`). */
export function optionValues(args: string[], ...options: string[]): string[] {
  return args.flatMap((arg, i) => {
    const before = args[i - 1] ?? "";
    if (options.some((option) => isOption(before, option))) return [arg];
    return options.flatMap((option) => attachedValue(arg, option) ?? []).slice(0, 1);
  });
}

function isOption(arg: string, option: string): boolean {
  if (/^-\w$/.test(option)) return /^-\w+$/.test(arg) && arg.endsWith(option.slice(1));
  return arg === option || (/^--\w\w/.test(arg) && option.startsWith(arg));
}

function attachedValue(arg: string, option: string): string | undefined {
  if (option.endsWith("=")) return arg.startsWith(option) ? arg.slice(option.length) : undefined;
  if (/^-\w$/.test(option)) return new RegExp(`^-[A-Za-z0-9]*?${option.slice(1)}=?(.+)$`, "s").exec(arg)?.[1];
  const end = arg.indexOf("=");
  return end > 0 && isOption(arg.slice(0, end), option) ? arg.slice(end + 1) : undefined;
}
