/** Commands that stand before another one (`env`, `xargs`, `timeout` …): where their own words end and the other begins. */
import { operandsOf, sameFor } from "./matchers.ts";

/** How the command line of a wrapper begins, up to the command it runs. */
interface Wrapper {
  /** Options whose value is a word of its own. */
  values?: string;
  /** Options without a value. Of all others nobody knows, and both readings count. */
  flags?: string;
  /** Words of the wrapper's own before the command, as in `timeout 10 make`. */
  operands?: number;
  /** May `NAME=value` come before the command? */
  assignments?: boolean;
  /** Does the command come behind `--`? */
  dashes?: boolean;
}

const TIMEOUT: Wrapper = {
  values: "-s --signal -k --kill-after",
  flags: "-f -p -v --foreground --preserve-status --verbose",
  operands: 1,
};
const NPX: Wrapper = { values: "-p --package -w --workspace", flags: "-y -q --yes --no --no-install --quiet" };
const PNPM: Wrapper = { values: "-C --dir -F --filter --package", flags: "-r -s -c --recursive --silent --parallel" };

const PREFIXES = new Map<string, Wrapper>(
  Object.entries({
    ...sameFor("builtin busybox corepack fakeroot nohup prlimit setpriv shx toybox unbuffer".split(" "), {}),
    ...sameFor(["chroot", "gosu", "su-exec", "direnv exec"], { operands: 1 }),
    caffeinate: { flags: "-d -i -m -s -u" },
    chrt: { flags: "-b -f -i -o -r", operands: 1 },
    command: { flags: "-p" },
    "cross-env": { assignments: true },
    dotenv: { values: "-e -f" },
    entr: { flags: "-a -c -d -n -p -r -s -z" },
    env: { values: "-a -u -C --argv0 --unset --chdir", flags: "-i -v -0", assignments: true },
    exec: { values: "-a", flags: "-c -l" },
    flock: { values: "-w -E --timeout --wait", flags: "-e -F -n -o -s -u -x", operands: 1 },
    gtimeout: TIMEOUT,
    ionice: { values: "-c -n --class --classdata", flags: "-t" },
    nice: { values: "-n --adjustment" },
    nsenter: { values: "-t --target" },
    runuser: { values: "-u -g -G --user --group" },
    setsid: { flags: "-c -f -w --fork --wait" },
    stdbuf: { values: "-i -o -e --input --output --error" },
    "perf stat": { values: "-e -o -r -x", flags: "-a -d -v" },
    screen: { values: "-c -e -h -p -r -s -S -t -T -x -X", flags: "-A -d -D -L -m -R -U" },
    sshpass: { values: "-d -f -p -P", flags: "-e -v" },
    strace: { values: "-a -b -e -E -I -o -O -p -P -s -S -u -X", flags: "-c -C -d -f -i -k -q -r -t -T -v -w -x -y -z" },
    "systemd-run": {
      values: "-p -u --property --unit",
      flags: "-d -G -P -q -S -t --pty --quiet --scope --user --wait",
    },
    taskset: { flags: "-a", operands: 1 },
    time: { values: "-f -o --format --output", flags: "-a -p -q -v --portability --verbose" },
    timeout: TIMEOUT,
    unshare: { values: "-S -G -R -w" },
    valgrind: { flags: "-q -v" },
    "xvfb-run": { flags: "-a --auto-servernum" },
    xargs: {
      values:
        "-a -d -E -I -J -L -n -P -R -s -S --arg-file --delimiter --max-args --max-lines --max-procs --process-slot-var",
      flags: "-0 -o -p -r -t -x --null --no-run-if-empty --verbose",
    },
    // Runners of package managers and the like
    ...sameFor(["bundle exec", "git bisect run", "pipenv run", "poetry run", "yarn exec"], {}),
    ...sameFor(["asdf exec", "pyenv exec", "rbenv exec", "hatch run", "rye run"], {}),
    ...sameFor(["doppler run", "mise exec", "mise x", "nx exec"], { dashes: true }),
    bunx: { flags: "--bun" },
    npx: NPX,
    pnpx: PNPM,
    uvx: { values: "-p --python --from --with" },
    "bun x": { flags: "--bun" },
    "conda run": { values: "-n --name", flags: "--no-capture-output --live-stream" },
    ...sameFor(["npm exec", "npm x"], NPX),
    "pnpm dlx": PNPM,
    "pnpm exec": PNPM,
    "uv run": {
      values: "-p --extra --group --python --with",
      flags: "-q -v --frozen --isolated --locked --no-sync --quiet",
    },
    "yarn dlx": { values: "-p --package", flags: "-q" },
    "yarn workspaces foreach": { values: "-j --jobs --from --include --exclude", flags: "-A -i -p -R -t -v -W" },
  }),
);

const TMUX: Wrapper = { values: "-c -e -F -l -n -s -t -x -y", flags: "-A -b -d -D -E -f -h -k -P -v -X" };

/** Commands whose words, joined by spaces, are a script. */
const JOINED = new Map<string, Wrapper>(
  Object.entries({
    ...sameFor(["eval", "lerna exec"], {}),
    parallel: { values: "-j -S -d -I -n --colsep --jobs", flags: "-0 -k -m -r -X --bar --dry-run --keep-order" },
    sg: { operands: 1 },
    ssh: {
      values: "-B -b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w",
      flags: "-4 -6 -A -a -C -f -G -g -K -k -M -N -n -q -s -T -t -V -v -X -x -Y -y",
      operands: 1,
    },
    watch: { values: "-n -q --interval", flags: "-b -c -d -e -g -t -x" },
    watchexec: { values: "-d -e -f -i -o -s -w --debounce --exts --filter --ignore --watch", flags: "-c -n -p -r -v" },
    "git submodule foreach": { flags: "--recursive -q" },
    ...sameFor(["tmux send", "tmux send-keys", "tmux new", "tmux new-session", "tmux new-window", "tmux neww"], TMUX),
    ...sameFor(["tmux split-window", "tmux splitw", "tmux respawn-pane", "tmux run", "tmux run-shell"], TMUX),
  }),
);

/**
 * The words that a wrapper runs: a command or, joined, a script. Several where they can be read in several ways, none
 * for a command that is no wrapper.
 */
export function wrappedCommands(name: string, args: string[]): { joined: boolean; readings: string[][] } {
  const prefix = rowFor(PREFIXES, name, args);
  if (prefix) return { joined: false, readings: readingsOf(prefix.rest, prefix.row) };
  const joined = rowFor(JOINED, name, args);
  return { joined: joined !== undefined, readings: joined ? readingsOf(joined.rest, joined.row) : [] };
}

/** What a table says of a command by its name, or with one or two subcommands; and the words behind those. */
export function rowFor<Row>(table: Map<string, Row>, name: string, args: string[]) {
  const [first = "", second = ""] = operandsOf({ name, args });
  const keys = [
    { key: name, rest: args },
    { key: `${name} ${first}`, rest: args.slice(args.indexOf(first) + 1) },
    { key: `${name} ${first} ${second}`, rest: args.slice(args.indexOf(second) + 1) },
  ];
  for (const { key, rest } of keys) {
    const row = table.get(key);
    if (row !== undefined) return { row, rest };
  }
  return undefined;
}

/**
 * The words from the command on, behind the wrapper's options, variables and operands. A word behind an option that is
 * not known may be its value, or not: both are readings.
 */
function readingsOf(args: string[], wrapper: Wrapper): string[][] {
  const { operands = 0, assignments = false, dashes = false } = wrapper;
  const values = wrapper.values?.split(" ") ?? [];
  const flags = wrapper.flags?.split(" ") ?? [];
  if (dashes) return args.includes("--") ? [args.slice(args.indexOf("--") + 1)] : [];

  const readings: string[][] = [];
  let own = operands;
  let doubtful = 0; // operands that may have been values
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? "";
    if (values.includes(arg)) i += 1;
    else if (arg.startsWith("-") || (assignments && /^[^=]+=/.test(arg))) continue;
    else {
      const mayBeValue = takesPerhaps(args[i - 1] ?? "", values, flags);
      if (own > 0) {
        own -= 1;
        if (mayBeValue) doubtful += 1;
        continue;
      }
      readings.push(args.slice(i));
      if (mayBeValue) continue;
      if (doubtful === 0) break;
      doubtful -= 1;
    }
  }
  return readings;
}

/** May the word behind an option be its value? Not behind `--x=y`, flags (`-0r` is two), and `-n5` where `-n` takes one. */
function takesPerhaps(option: string, values: string[], flags: string[]): boolean {
  if (!/^-[^=]+$/.test(option) || option === "--" || flags.includes(option)) return false;
  if (option.startsWith("--")) return true;
  const letters = option.slice(1).split("");
  const at = letters.findIndex((letter) => !flags.includes(`-${letter}`));
  const letter = letters[at] ?? "0";
  return !/\d/.test(letter) && (!values.includes(`-${letter}`) || at === letters.length - 1);
}
