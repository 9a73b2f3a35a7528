/** What a command runs in its turn: `sh -c SCRIPT`, `find -exec …`, and what stands behind a program that is not known. */
import { posix } from "node:path";
import { inCode, startsOf } from "./code-texts.ts";
import { operands, optionValues } from "./paths.ts";
import { INTERPRETERS, isRisky, isTool, READERS, SHELLS, WRAPPERS } from "./programs.ts";
import type { ShellCommand } from "./scope.ts";

/** Words, a script, or a script file. None of them: code that nobody has seen. */
export interface Inner {
  words?: string[];
  script?: string;
  file?: string;
  /** Is it only taken for a command? */
  assumed?: boolean;
  /** Does it run on another machine, or in a container? */
  away?: boolean;
}

const UNSEEN: Inner = {};

export function innerCommands(command: ShellCommand, path: string): Inner[] {
  return [...innerOf(command), ...settings(command), ...(path.includes("/") ? [{ file: path }] : [])];
}

function innerOf(command: ShellCommand): Inner[] {
  const { name, args } = command;
  if (SHELLS.has(name)) return shellScript(command);
  if (INTERPRETERS.test(name)) return interpreted(command);
  if (name === "command" && /^-[vV]/.test(args[0] ?? "")) return []; // only looks one up
  if (WRAPPERS.has(name) || name.startsWith("-")) return wrapped(command); // `time -o log make`: time is a keyword
  if (name === "source" || name === ".") return fileOrStream(args[0] ?? "");
  if (name === "find" || name === "fd") return found(name, args);
  if (name === "trap") return [{ script: operands(args)[0] ?? "" }];
  if (name === "eval") return [{ script: args.join(" ") }];
  if (READERS.has(name)) return [];
  if (isTool(name)) return behindRun(name, args);
  return command.assumed ? [] : assumedIn(args); // around it, all words have been looked at
}

/** `sh -c SCRIPT`, `bash -euo pipefail -c SCRIPT`, `sh FILE`, `sh <<EOF`, `… | sh`. */
function shellScript(command: ShellCommand): Inner[] {
  const args = command.args.flatMap((arg) => (arg.startsWith("--command=") ? ["-c", arg.slice(10)] : [arg]));
  const [first] = operands(args, /^(-\w*[oO]|--(rcfile|init-file))$/);
  const options = args.slice(0, first === undefined ? args.length : args.indexOf(first));
  if (options.some((arg) => /^-\w*c|^--?command$/i.test(arg)))
    return [first === undefined ? UNSEEN : { script: first }];
  if (options.some((arg) => /^-\w*n$/.test(arg))) return []; // only checked
  return first === undefined || options.includes("-s") ? fromStdin(command) : fileOrStream(first);
}

function fileOrStream(file: string): Inner[] {
  return [/^(<\(|\/dev\/(stdin|fd\/)|\/proc\/[^/]+\/fd\/)/.test(file) ? UNSEEN : { file }];
}

function fromStdin({ input, piped }: ShellCommand): Inner[] {
  return input === undefined ? (piped ? [UNSEEN] : []) : [{ script: input }];
}

/** Code in another language, a module, or a tool that is a script: `python manage.py`, `php artisan`. */
function interpreted({ name, args, input, piped }: ShellCommand): Inner[] {
  const option = /^(perl|ruby)/.test(name) ? /^-\w*e/ : /^-(c|e|p|pe|r)$|^--(eval|print)|^eval$/;
  const [file = "-"] = operands(args);
  const at = args.findIndex((arg) => option.test(arg));
  const code = at < 0 ? (file === "-" ? input : undefined) : args.slice(at).join("\n");
  if (code !== undefined) {
    const { deleted, texts } = inCode(name, code);
    return [...deleted.map((path) => ({ words: ["rm", path], assumed: true })), ...assumedIn(texts)];
  }
  if (args.some((arg) => arg.startsWith("-m"))) return [{ words: args.slice(args.indexOf("-m") + 1) }];
  if (file === "-") return piped && !args.some((arg) => /^--?[vh]/.test(arg)) ? [UNSEEN] : [];
  const tool = isTool(posix.basename(file)) ? [{ words: args.slice(args.indexOf(file)) }] : [];
  return [...fileOrStream(file), ...tool, ...(isTool(name) ? behindRun(name, args) : [])]; // bun, deno
}

const STOPS_MACHINE = /^(shutdown|reboot|halt|poweroff|init)$/;
const isOwn = (arg: string) => /^(-.*|[\d.]+[smhd]?|[\w.-]+=.*|)$/s.test(arg);

/** The words behind a wrapper's own options, numbers and variables. What is in doubt is looked at both ways. */
function wrapped(command: ShellCommand): Inner[] {
  const { name, piped, input } = command;
  const args = name === "xargs" ? withInput(command) : command.args;
  if (name === "ssh") return onHost(args);
  const at = args.findIndex((arg, i) => !isOwn(arg) && !/^(-[ds]|--sig\w*)$/.test(args[i - 1] ?? ""));
  const first = at < 0 ? ":::" : (args[at] ?? "");
  if (name === "parallel" && first === ":::") return fromStdin({ ...command, piped: piped || input === undefined });
  const texts = args.filter((arg, i) => /\s/.test(arg) && (i === at || (i < at && args[i - 1]?.startsWith("-"))));
  const attached = args.flatMap((arg) => /^(?:-\w*S|--[\w-]+=)(.*\s.*)$/s.exec(arg)?.[1] ?? []); // env -S'…'
  const certain = at < 0 || /\s/.test(first) ? [] : [{ words: args.slice(at) }];
  return [...[...texts, ...attached].map((script) => ({ script })), ...certain, ...assumedIn(args, STOPS_MACHINE)];
}

/** Another machine gets the words behind its name as one script. */
function onHost(args: string[]): Inner[] {
  const [host = ""] = operands(args, /^-[bcDEeFIiJLlmOopQRSWw]$/);
  const words = args.slice(args.indexOf(host) + 1);
  return [{ script: words.join(" "), away: true }, ...(words[0] ? [{ words, away: true, assumed: true }] : [])];
}

/** `xargs` puts what it reads behind the words of its command, or in the place of `{}`. */
function withInput({ args, input = "", paths = [] }: ShellCommand): string[] {
  const read = [...input.split(/\s+/), ...paths].filter((word) => word !== "");
  const given = read.length > 0 ? read : ["{}"];
  const at = args.findIndex((arg, i) => /^(-I.*|-i|--replace.*)$/.test(arg) && args.slice(0, i).every(isOwn));
  if (at < 0) return [...args, ...given];
  const [place = "{}"] = optionValues(args.slice(at, at + 2), /^(?:-I|--replace=)(.+)?$/);
  const rest = args.slice(args[at] === "-I" ? at + 2 : at + 1);
  return rest.flatMap((arg) => (arg === place ? given : [/\s/.test(arg) ? arg : arg.replaceAll(place, "{}")]));
}

const SCRIPT_OPTION = /^(?:-x|-O|--(?:exec|extcmd|open-files-in-pager|call|command|shell-command))(?:=?(.+))?$/s;

/** `docker exec web rm`, `npm exec rimraf`, `git submodule foreach`, `git rebase -x`; and `yarn prisma`, a program of a package. */
function behindRun(name: string, args: string[]): Inner[] {
  const at = args.findIndex((arg) => /^(exec|run|x|dlx|foreach|ssh|shell|console)$/.test(arg));
  const away = /^(docker|podman|nerdctl|kubectl|oc)/.test(name);
  const behind = at < 0 ? [] : assumedIn(args.slice(at + 1), /^$/, away);
  for (const inner of behind) inner.away = away;
  const texts = optionValues(args, SCRIPT_OPTION).map((script) => ({ script, assumed: true }));
  const [first = ""] = operands(args);
  const isProgram = /^(pnpm|yarn|bun)$/.test(name) && isRisky(first) && !READERS.has(first);
  return [...behind, ...texts, ...(isProgram ? [{ words: args.slice(args.indexOf(first)) }] : [])];
}

const SEARCHES = /^(.?grep|rg|ag|ack|sed|awk|which|whereis|man|tldr|echo|printf|cat|ls)$/;

/**
 * The commands that words may be: each that begins with a program of which the rules speak, or a text with white space.
 * Behind a program that searches, or one that looks at its words itself, there is none; images of containers have such names.
 */
function assumedIn(words: string[], also = /^$/, images = false): Inner[] {
  const inner: Inner[] = [];
  for (const [i, word] of words.entries()) {
    if (inner.length > 50) throw new RangeError("more than any honest line needs");
    const name = posix.basename(word).toLowerCase();
    const risky = isRisky(name) || also.test(name);
    const isScript = inner.length === 0 && /^--?(c|run|command|exec|cmd)$/.test(words[i - 1] ?? "");
    if (/\s/.test(word)) inner.push({ script: word, assumed: !isScript });
    else if (risky) inner.push({ words: words.slice(i), assumed: true });
    const looksItself = READERS.has(name) || !(images || WRAPPERS.has(name));
    if (SEARCHES.test(name) || (risky && looksItself)) break;
  }
  return inner;
}

const SETTING =
  /(editor|pager|command|askpass|browser|lessopen|lessclose|external\w*|visual|PS4|BASH_ENV|fsmonitor|helper|textconv|GIT_CONFIG_\w+)$/i;

/** What some program runs of a variable or a setting of git: `GIT_EDITOR`, `core.pager`, `alias.x`. */
export function settingScripts(variable: string, values: string[]): string[] {
  const isAlias = variable.startsWith("alias.");
  if (!isAlias && !SETTING.test(variable)) return [];
  return values.map((value) => (isAlias && !value.startsWith("!") ? `git ${value}` : value.replace(/^[|!]/, "")));
}

function settings({ name, args }: ShellCommand): Inner[] {
  if (!/^(git|env|export|declare|ssh|scp|sftp|rsync|cross-env)$/.test(name)) return [];
  const pairs = args.map((arg, i) => (arg.includes("=") || name !== "git" ? arg : `${arg}=${args[i + 1] ?? ""}`));
  const scripts = pairs.flatMap((pair) => {
    const [, variable = "", value = ""] = /^(?:-[oc])?([^=]*)=(.*)$/s.exec(pair) ?? [];
    return settingScripts(variable, [value]);
  });
  return scripts.map((script) => ({ script, assumed: true }));
}

/** Tests of `find` that choose nothing: all below the start is reached. */
const CHOOSES_NOTHING =
  /^-([HLP]|type|mindepth|maxdepth|depth|xdev|mount|follow|print0?|delete|exec|execdir|ok|okdir)$/;

/** What `find` and `fd` do to what they find: each `-exec`, and `-delete` told as the `rm` that it is. */
function found(name: string, args: string[]): Inner[] {
  const run = args.findIndex((arg) => /^-(exec|ok)/.test(arg));
  const tests = args.slice(0, run < 0 ? args.length : run);
  const chooses = tests.some((arg) => /^-[a-zA-Z]/.test(arg) && !CHOOSES_NOTHING.test(arg));
  if (args.length > 2000) throw new RangeError("more than any honest line needs");
  const files = name === "fd" ? ["{}"] : startsOf(args).map((start) => (chooses ? `${start}/{}` : start));
  return args.flatMap((arg, i) => {
    if (arg === "-delete") return [{ words: ["rm", ...files] }];
    if (!/^(-(exec|ok)(dir)?|-[xX]|--exec)$/.test(arg)) return []; // the last two are those of fd
    const end = args.findIndex((word, at) => at > i && /^[;+]$/.test(word));
    const words = args.slice(i + 1, end < 0 ? args.length : end).flatMap((word) => (word === "{}" ? files : [word]));
    return [{ words: name === "fd" ? [...words, ...files] : words }];
  });
}
