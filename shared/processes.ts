import { execFile, spawn, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import {
  appendFileSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  unlinkSync,
} from "node:fs";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import type { ToolOutput } from "./conversation.ts";
import { userEnvironment } from "./processes-environment.ts";

const SHELL = existsSync("/bin/bash") ? "/bin/bash" : "sh";
const MAX_OUTPUT = 50_000; // characters
const MAX_COMMAND = 30_000; // characters; for most systems 128 KiB are too many
const GRACE_MS = 400; // between asking a process to end and ending it
const DRAIN_MS = 100; // for output that is still in the pipe when the shell has gone
const MAX_ROUNDS = 50; // of ending what starts new processes all the time
const MARK = "AGENT_PROCESS_MARK";
const SEES_MARKS = existsSync("/proc/self/environ"); // Linux; elsewhere what leaves its process group is not found

/** What a command did. `code` is null when it was ended by a signal; `limit` is its time limit in seconds. */
export interface Outcome {
  /** stdout and stderr in the order written, the middle left out where it is long. */
  output: string;
  code: number | null;
  /** Why it ended: by itself, at its time limit, or because the turn was interrupted. */
  end: "exit" | "timeout" | "interrupted";
  limit: number;
}

interface RunOptions {
  cwd: string;
  signal: AbortSignal;
  /** Time limit in seconds. */
  limit: number;
}

/** A command that goes on by itself. */
export interface Job {
  /** What it printed so far. */
  output: () => string;
  ended: Promise<Outcome>;
  /** Ends it and all that it started. */
  stop: (why?: Outcome["end"]) => void;
}

/** Runs commands, and remembers what they started until the agent ends. */
export interface Processes {
  /**
   * Runs a shell command without input, and gives its outcome when the shell has gone; a command that cannot be
   * started is one that failed. At the time limit, or when the signal aborts, everything it started is ended.
   * @throws the signal's reason when it is aborted already
   */
  run(command: string, options: RunOptions): Promise<Outcome>;
  /** Starts a shell command and leaves it alone. Without a limit it runs until it ends, is stopped, or the agent ends. */
  start(command: string, options: { cwd: string; limit?: number; log?: string }): Promise<Job>;
  /** For an agent that works for this one: can be ended alone, and ends with this. */
  child(): Processes;
  /**
   * Ends all that is left of all commands, at once: whoever makes an agent calls it at the agent's end. What it can not
   * find is a process that both left its process group and lost the mark in its environment (`env -i setsid …`).
   */
  endAll(): void;
}

export function createProcesses(within = process.env[MARK] ?? ""): Processes {
  // The mark is in the environment of everything that is started, so that a process is found wherever it hides. It
  // begins with our own mark, so an agent run by an agent ends with it.
  const mark = `${within}/${randomUUID().slice(0, 8)}.`;
  const groups = new Set<number>();
  const children: Processes[] = [];
  let started = 0;

  async function start(
    command: string,
    { cwd, limit, log }: { cwd: string; limit?: number; log?: string },
  ): Promise<Job> {
    const ownMark = `${mark}${++started};`;
    const outcome = (output: string, code: number | null, end: Outcome["end"]) => ({
      output,
      code,
      end,
      limit: limit ?? 0,
    });
    let pipe: Pipe | undefined;
    let child: ChildProcess;
    try {
      pipe = await openPipe();
      child = spawn(SHELL, ["-c", "--", command], {
        cwd,
        env: { ...userEnvironment(), ...QUIET, [MARK]: ownMark },
        stdio: ["ignore", pipe.writer, pipe.writer], // the same for both keeps the order
        detached: true, // a process group of its own
      });
      await once(child, "spawn");
    } catch (error) {
      const why = command.length > MAX_COMMAND ? "it is too long; write a file" : String(error);
      const failed = outcome(`cannot start the command in ${cwd}: ${why}`, 126, "exit");
      pipe?.reader.destroy();
      return { output: () => failed.output, ended: Promise.resolve(failed), stop: () => {} };
    } finally {
      if (pipe) closeSync(pipe.writer); // the command has its own
    }
    const { pid } = child;
    if (pid === undefined) throw new Error("a started process has a pid");
    groups.add(pid);
    const { reader } = pipe;
    const output = outputKeeper();
    reader.setEncoding("utf8").on("data", output.add);
    if (log !== undefined) reader.on("data", (text: string) => appendFileSync(log, text));
    const exited = once(child, "exit");
    const closed = once(reader, "close");

    let end: Outcome["end"] = "exit";
    let stopped = Promise.resolve();
    const stop = (why: Outcome["end"] = "interrupted") => {
      end = why;
      stopped = endPolitely(pid, ownMark, exited);
    };
    const timer = limit === undefined ? undefined : setTimeout(() => stop("timeout"), limit * 1000);
    const ended = (async () => {
      await exited;
      clearTimeout(timer);
      await stopped;
      // A process in the background may hold the pipe open for as long as it lives. It keeps it, but no one listens.
      await Promise.race([closed, delay(DRAIN_MS)]);
      reader.off("data", output.add).resume().unref();
      for (const group of groups) if (!signalTo(-group, 0)) groups.delete(group); // its number may be used again
      return outcome(output.text(), child.exitCode, end);
    })();
    return { output: output.text, ended, stop };
  }

  return {
    start,
    async run(command, { cwd, signal, limit }) {
      signal.throwIfAborted();
      const job = await start(command, { cwd, limit });
      const interrupt = () => job.stop();
      signal.addEventListener("abort", interrupt, { once: true });
      if (signal.aborted) interrupt(); // while it started
      return job.ended.finally(() => signal.removeEventListener("abort", interrupt));
    },
    child() {
      const processes = createProcesses(mark);
      children.push(processes);
      return processes;
    },
    endAll() {
      for (const child of children) child.endAll();
      for (const group of groups) signalTo(-group, "SIGKILL");
      endMarked(mark);
    },
  };
}

/** An outcome as the model reads it: what was printed, then how it ended, if not well. */
export function commandOutput({ output, code, end, limit }: Outcome): ToolOutput {
  const exit = code === 0 ? "" : `[${code === null ? "killed by a signal" : `exit code ${code}`}]`;
  const interrupted = "[interrupted by the user; it may have run in part]";
  const ending = { exit, timeout: `Error: Timeout (${limit}s)`, interrupted }[end];
  return { content: [output || "(no output)", ending].filter(Boolean).join("\n"), is_error: ending !== "" };
}

/** Nobody sits in front of the commands: nothing may page, prompt or open an editor. */
const QUIET = { PAGER: "cat", GIT_PAGER: "cat", MANPAGER: "cat", GIT_EDITOR: "true", GIT_TERMINAL_PROMPT: "0" };

/** A pipe: the end that Node reads, and the one for a command, to be closed when the command has it. */
interface Pipe {
  reader: Socket;
  writer: number;
}

/**
 * Opens a pipe as a shell does. Node's own are sockets: with one of those a command cannot open `/dev/stdout`. A named
 * pipe gives a real one, and its name is removed at once. A command can't read from its end: no key comes from there.
 */
async function openPipe(): Promise<Pipe> {
  const path = join(tmpdir(), `agent-${randomUUID()}`);
  await execute("mkfifo", ["-m", "600", path]);
  try {
    const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK); // waits for no writer
    const writer = openSync(path, constants.O_WRONLY);
    return { reader: new Socket({ fd: reader, readable: true, writable: false }), writer };
  } finally {
    unlinkSync(path);
  }
}

const execute = promisify(execFile);

/** Asks a process group, and what left it, to end; ends it when its leader has gone or the grace is over. */
async function endPolitely(group: number, mark: string, exited: Promise<unknown>): Promise<void> {
  for (const pid of [-group, ...marked(mark)]) signalTo(pid, "SIGTERM");
  await Promise.race([exited, delay(GRACE_MS)]);
  signalTo(-group, "SIGKILL");
  endMarked(mark);
}

/** Ends the processes that carry a mark. Those that were started while we looked are there in the next round. */
function endMarked(mark: string): void {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const ended = marked(mark).filter((pid) => signalTo(pid, "SIGKILL"));
    if (ended.length === 0) return;
  }
}

/** The processes that carry a mark, also those that left their group or lost their parent. */
function marked(mark: string): number[] {
  if (!SEES_MARKS) return [];
  const carries = (pid: number) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, "latin1").includes(`${MARK}=${mark}`);
    } catch {
      return false; // it ended while we looked, or is not ours
    }
  };
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0 && carries(pid));
}

function signalTo(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false; // it has gone already
  }
}

/** Keeps the beginning and the end of an output of any length, in bounded memory, and cuts no character in two. */
export function outputKeeper(limit = MAX_OUTPUT): { add: (text: string) => void; text: () => string } {
  const half = Math.floor((limit - 100) / 2); // 100: for the marker
  let whole = ""; // until it is too long; then its first half
  let tail = "";
  let left = 0;

  const shorten = () => {
    const cut = cutAt(tail, tail.length - half);
    left += cut;
    tail = tail.slice(cut);
  };
  return {
    add(text) {
      if (tail === "" && whole.length + text.length <= limit) {
        whole += text;
        return;
      }
      if (tail === "") {
        const all = whole + text;
        const cut = cutAt(all, half);
        whole = all.slice(0, cut);
        tail = all.slice(cut);
      } else tail += text;
      if (tail.length > limit) shorten();
    },
    text() {
      if (tail === "") return whole.trimEnd();
      if (tail.length > half) shorten();
      return `${whole}\n[… ${left} characters left out …]\n${tail.trimEnd()}`;
    },
  };
}

/** A place to cut at: this one, or the next where it would part a surrogate pair. */
const cutAt = (text: string, at: number): number => (/[\uDC00-\uDFFF]/.test(text.charAt(at)) ? at + 1 : at);
