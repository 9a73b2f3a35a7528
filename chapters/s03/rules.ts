/** The rules for shell commands: what is never run, what is asked about. Everything else runs. */
import * as elsewhere from "./elsewhere.ts";
import {
  isDevice,
  isOrContainsHome,
  isSecret,
  operands,
  ownerOf,
  pathFrom,
  wordsWritten,
  type Place,
} from "./paths.ts";
import { DELETERS } from "./programs.ts";
import type { ShellCommand } from "./scope.ts";
import { commandsIn } from "./shell-commands.ts";
import { isKnown } from "./words.ts";

/** What stands against a command. */
export interface Finding {
  verdict: "deny" | "ask";
  /** The name of the rule: what "allow for the session" opens. */
  rule: string;
  /** For people: what and why, as in "deletes files: rm notes.txt". */
  reason: string;
}

/** A command as the rules see it. */
export interface Judged {
  command: ShellCommand;
  /** Its words on one line, without texts and options before the subcommand of git, `-xdf` as `-x -d -f`. */
  told: string;
  place: Place;
  /** Whose a path is: see `ownerOf`. */
  owner: (path: string) => string;
}

interface Rule {
  verdict: "deny" | "ask";
  name: string;
  /** Completes "This command …". */
  why: string;
  matches: RegExp | ((judged: Judged) => boolean);
}

const deny = (name: string, why: string, matches: Rule["matches"]): Rule => ({ verdict: "deny", name, why, matches });
const ask = (name: string, why: string, matches: Rule["matches"]): Rule => ({ verdict: "ask", name, why, matches });

const ADMINISTRATOR = /^(sudo|sudoedit|doas|su|pkexec|run0)( |$)/;
const SHUTS_DOWN =
  /^((shutdown|reboot|halt|poweroff)( |$)|(tel)?init [016]|kexec|(systemctl|loginctl) (-\S+ )*(reboot|poweroff|halt|kexec|soft-reboot|suspend|hibernate|rescue|emergency|isolate)\b)/;
const FORMATS =
  /^((mkfs|newfs|mke2fs|mkswap|mkdosfs|mkntfs|wipefs|blkdiscard)\b|badblocks .*-w|hdparm .*--security-erase|nvme (format|sanitize)|cryptsetup luksFormat|diskutil (erase|zero|secureErase|partition)|sgdisk .*(-Z|--zap)|(fdisk|sfdisk|gdisk|parted) (?!.*(-l|--list|-d|--dump|print)( |$)).*\/dev\/)/;
const CHANGES_OWNERS = /^(chown|chgrp) .*(-R|--recursive)\b/;
const FORCE_PUSHES = /^git push\b.* (-f|-d|--(force|delete|mirror|prune)\S*|[+:]\S+)( |$)/;
const PUSHES = /^git (push|subtree push|send-email)\b/;
const DISCARDS =
  /^git (reset .*--(hard|merge|keep)|clean .*(-f|--force)|stash (drop|clear)|worktree remove|rm .*(-f|--force)|(checkout|switch) .*(-f|--force|--ours|--theirs|--discard-changes)|checkout-index (?!.*--prefix).*|read-tree .*(--reset|-u)|restore (?!.*(-S|--staged)( |$)).*\S|restore .*(-W|--worktree).*)( |$)/;
/** Files, and no branch: behind `--`, two words, or one like `.`, `src/`, `*.ts`, `a.json`, `Makefile`. */
const CHECKS_OUT_FILES =
  /^git checkout (?!.*(-b|-B|-t|--orphan|--track|--detach)\b)(.* )?(--|[^-]\S* [^-]\S*|[.:]\S*|\S+\/|\S*[*?[]\S*|\S+\.([a-z]\w+|[chmrs])|(?!HEAD)[A-Z]\w*)( |$)/;
const REWRITES =
  /^git (branch .*(-D|-f|--force)|checkout .*-B|switch .*(-C|--force-create)|update-ref|tag .*(-d|-f|--delete|--force)|filter-(branch|repo)|reflog (expire|delete)|gc .*--prune\S*)( |$)/;
const OPENS_CONTAINER =
  /^(docker|podman) (container )?run\b.* (--privileged(?!=false)|(-\w*v=?|--volume=)?\/+:|\S*(src|source)=\/+(,|$))/;
/** By name or port, or by `kill`: all, the agent itself, what a search finds. */
const ENDS =
  /^((killall5?|pkill|kill-port|fkill|taskkill|xkill)( |$)|fuser .*(-k|--kill)|tmux kill-server|pm2 kill|kill (?!.*-[0lL]( |$))(.* )?(1( |$)|\S+ -1( |$)|\$(PPID|INPUT)|\{\}|\$\((?!cat|<|jobs)|`))/;
/** To all (777, o+w), or to the rights of the owner (4755, u+s). A mode that is not known may. */
const OPENS = /^chmod (-\S+ )*([0-7]*[2367]|0*[2-7]\d{3}|\S*[oa][ugoa]*[+=][rxXst]*w\S*|\S*[+=][rwxX]*s\S*|[$`]\S*) /;
const CHANGES_MACHINE =
  /^((crontab|mount|umount) (?!-l)|(useradd|userdel|usermod|groupadd|passwd|visudo|modprobe|insmod|rmmod|iptables|ufw|nvram|csrutil|setx|schtasks|dscl)( |$)|systemctl .*\b(start|stop|restart|reload|enable|disable|mask|kill|edit)\b|service \S+ (start|stop|restart)|launchctl (?!list|print)|brew (uninstall|remove|rm|services (stop|start|restart))|defaults (write|delete)|reg (add|delete)|sysctl .*-w|(npm|pnpm|yarn) (?=.*(-g|global)( |$)).*\b(uninstall|remove|rm)\b|(apt|apt-get|dnf|yum|snap) .*(remove|purge)|pacman -R|history .*-c|journalctl .*--vacuum)/;

/** From the worst to the mildest. A command may fall under several. */
const RULES: Rule[] = [
  deny("delete everything", "deletes the whole disk or home folder", deletesEverything),
  deny("administrator", "takes administrator rights", ADMINISTRATOR),
  deny("shut down", "stops the machine", SHUTS_DOWN),
  deny("format a disk", "erases a disk", FORMATS),
  deny("write to a device", "writes to a disk or to the kernel", ({ command }) => writtenBy(command).some(isDevice)),
  deny("fork bomb", "starts itself without end", ({ command }) => command.forks),

  ask("unknown program", "runs a program that is only known when it runs", isUnknown),
  ask("unseen script", "runs a script that nobody has seen", ({ command }) => command.unseen === true),
  ask("delete files", "deletes files", (judged) => deletes(judged, "workspace")),
  ask("delete files outside", "deletes files outside the workspace", (judged) => deletes(judged, "others")),
  ask("write outside the workspace", "may write outside the workspace", writesOutside),
  ask("read secrets", "reads keys or passwords", readsSecrets),
  ask("send files", "sends files to another machine", elsewhere.sendsFiles),
  ask("open permissions", "lets others write, or run as the owner", OPENS),
  ask("change owners", "changes owners", CHANGES_OWNERS),
  ask("git force push", "overwrites what others have", FORCE_PUSHES),
  ask("git push", "publishes commits", PUSHES),
  ask("discard changes", "throws away work that is not committed", discards),
  ask("rewrite history", "throws away commits", (judged) => REWRITES.test(judged.told) && !isTemporary(judged)),
  ask("publish", "publishes or deploys", elsewhere.publishes),
  ask("change something remote", "changes or destroys something remote", elsewhere.changesRemote),
  ask("destroy data", "destroys data of a database", elsewhere.destroysData),
  ask("remove containers", "removes containers, their data or images", elsewhere.removesContainers),
  ask("open container", "gives a container the whole machine", OPENS_CONTAINER),
  ask("end processes", "may end processes of others", ENDS),
  ask("change the machine", "changes settings of the machine", CHANGES_MACHINE),
];

const DRY =
  / (--?dry-?run(?!=none)\S*|--pretend|--help|--whatif)( |$)|^(git (push|clean|rm|worktree)|make|rsync)\b.* -n( |$)/i;

/** What the rules say of a command line, denials first, one finding a rule; nothing: it may run. Never throws. */
export function judgeCommand(line: string, place: Place): Finding[] {
  const { commands, problems } = commandsIn(line, place);
  const owners = new Map<string, string>(); // to ask the disk once
  const owner = (path: string) => owners.get(path) ?? owners.set(path, ownerOf(path, place)).get(path) ?? "others";
  const judged = commands.map((command) => ({ command, told: tell(command), place, owner }));
  const wet = judged.filter(({ told }) => !DRY.test(told));
  const findings = RULES.flatMap(({ verdict, name, why, matches }): Finding[] => {
    const found = (verdict === "deny" ? judged : wet).filter((each) =>
      typeof matches === "function" ? matches(each) : matches.test(each.told),
    );
    const shown = [...new Set(found.map(({ command }) => [command.name, ...command.args].join(" ")))];
    const more = shown.length > 3 ? ` and ${shown.length - 3} more` : "";
    return shown.length > 0 ? [{ verdict, rule: name, reason: `${why}: ${shown.slice(0, 3).join(", ")}${more}` }] : [];
  });
  const reason = `cannot be read: ${[...problems].join(", ")}`;
  return problems.size > 0 ? [...findings, { verdict: "ask", rule: "unreadable command", reason }] : findings;
}

function tell({ name, args }: ShellCommand): string {
  const words = args.flatMap((arg) => {
    if (/\s/.test(arg)) return [/^\$\(|^`/.test(arg) ? arg.replace(/\s[^]*/, "…") : "…"];
    return /^-[a-zA-Z]{2,4}$/.test(arg) ? Array.from(arg.slice(1), (letter) => `-${letter}`) : [arg];
  });
  return [name, ...words].join(" ").replace(/^git ((-[Cc] \S+|--(git-dir|work-tree|namespace) \S+|--\S+) )+/, "git ");
}

function isUnknown({ command: { name, assumed } }: Judged): boolean {
  return !assumed && (!isKnown(name) || /[\s,;|]/.test(name));
}

const DELETES =
  /^(git rm .*-f|cmake .*-E (rm|remove)|rsync .*--(del|remove-source)|tar .*--remove-files|zip .*(-m|--move))/;

/** The paths that a command deletes. */
function deletedBy({ command: { name, args, directory }, told }: Judged): string[] {
  if (!DELETERS.has(name) && !DELETES.test(told)) return [];
  return operands(args)
    .slice(name === "rsync" ? -1 : 0)
    .map((path) => pathFrom(directory, path));
}

function deletesEverything(judged: Judged): boolean {
  const paths = deletedBy(judged);
  return paths.some((path) => isOrContainsHome(path, judged.place)) || /^rm .*--no-preserve-root/.test(judged.told);
}

function deletes(judged: Judged, owner: string): boolean {
  return deletedBy(judged).some((path) => judged.owner(path) === owner);
}

function writtenBy({ name, args, directory }: ShellCommand): string[] {
  return wordsWritten(name, args).map((path) => pathFrom(directory, path));
}

function writesOutside({ command, owner }: Judged): boolean {
  return writtenBy(command).some((path) => owner(path) === "others");
}

/** They use a place of keys, or say what is there, but show none of it. */
const SHOWS_NOTHING =
  /^(ls|stat|test|\[|mkdir|chmod|cd|du|find|touch|tree|file|ssh.*|kubectl|helm|git|export|docker|echo|printf|rm|>)$/;

function readsSecrets({ command: { name, args, directory }, told, place }: Judged): boolean {
  if (SHOWS_NOTHING.test(name)) return false;
  const paths = args.map((arg) => pathFrom(directory, arg.replace(/^@/, "")));
  return paths.some((path) => isSecret(path, place)) || /^gpg .*--export-secret/.test(told);
}

/** Is the repository of a git command one that may go? */
function isTemporary({ command: { args, directory }, owner }: Judged): boolean {
  const folder = args[0] === "-C" ? args[1] : undefined;
  return owner(pathFrom(directory, folder ?? ".")) === "temporary";
}

function discards(judged: Judged): boolean {
  return (DISCARDS.test(judged.told) || CHECKS_OUT_FILES.test(judged.told)) && !isTemporary(judged);
}
