// oxlint-disable-next-line import/no-unassigned-import -- it checks, before anything else is loaded
import "./node-version.ts";
import { basename, dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { MessageParam } from "@anthropic-ai/sdk/resources/messages";
import type { Agent as LoopAgent } from "../chapters/s01/code.ts";
import type { AgentOptions } from "./agent-options.ts";
import { realClock } from "./clock.ts";
import { createConnection } from "./connection.ts";
import { describeError } from "./errors.ts";
import type { AgentEvent, Emit } from "./events.ts";
import { createInbox, type Item } from "./inbox.ts";
import { createProcesses } from "./processes.ts";
import { readSettings } from "./settings.ts";
import { showEvents } from "./show.ts";
import { createTerminal } from "./terminal.ts";
import { traceEvents } from "./trace.ts";
import { runTurn } from "./turn.ts";
import { realPath } from "./workspace.ts";

/** The program around an agent. */
export interface Host<Agent> {
  agent: Agent;
  /** The conversation. A command may change it in place. */
  messages: MessageParam[];
  /** Runs a turn on what came in. @returns whether it went well */
  prompt: (item: Item) => Promise<boolean>;
  /** Runs a turn on what waits first in the inbox. @returns whether it went well */
  next: () => Promise<boolean>;
  /** The prompt loop: lines that are typed, and what comes into the inbox meanwhile, until end of input. */
  loop: () => Promise<void>;
}

/** What a chapter's program has beside the prompt loop. */
interface Program<Agent> {
  /** Lines that are no prompt, by their first word: `/clear`. */
  commands?: Record<string, (rest: string, host: Host<Agent>) => unknown>;
  /** Says where events go; to the terminal when it says nothing. Asked before the agent is made. */
  watch?: (words: string[]) => Emit | undefined;
  /** Its own command line. @returns the exit code */
  main?: (words: string[], host: Host<Agent>) => Promise<number>;
}

/**
 * Runs a chapter when its file is the program that was started, not when it is imported: with words on the command
 * line one turn, else the prompt loop. Ends the process.
 *
 * A line becomes a turn so: `loop` reads it, `prompt` puts it into the inbox and takes it out again with what waits of
 * the same origin, `run` has the agent answer it.
 */
export async function runChapter<Agent extends LoopAgent>(
  { url }: ImportMeta,
  createAgent: (options: AgentOptions) => Agent,
  { commands = {}, watch, main }: Program<Agent> = {},
): Promise<void> {
  const file = fileURLToPath(url);
  const started = realPath(process.argv[1] ?? "");
  if (started !== file && `${started}.ts` !== file) return;

  const name = basename(dirname(file));
  const words = process.argv.slice(2).filter((word) => word !== "--trace");
  const onlyPrompt = words.join(" ").trim();
  if (!main && /^--?[a-z]/.test(onlyPrompt)) leaveWithUsage(name, onlyPrompt);

  const terminal = createTerminal({ busy: BUSY });
  const show = watch?.(words) ?? showEvents(terminal);
  const note = (text: string) => show({ type: "note", text });

  const workspace = process.cwd();
  const settings = readSettings(workspace, process.env, note);
  const tracing = words.length < process.argv.length - 2 || /^(?!0$|false$)./.test(settings.TRACE ?? "");
  const trace = tracing ? traceEvents((line) => terminal.note(line)) : undefined;
  const emit = (event: AgentEvent) => {
    show(event);
    trace?.(event);
  };
  const connection = createConnection(settings);
  const processes = createProcesses();
  const inbox = createInbox();
  const idle = new AbortController().signal;
  let turn: { stop: AbortController; attended: boolean } | undefined; // while one runs

  // The end: what was deferred is done, and what takes time is waited for a moment. Whatever ends the program, an error
  // in an exercise too, begins it, ends all processes, and gives the terminal back.
  const ends: (() => unknown)[] = [];
  const end = () => Promise.allSettled(ends.splice(0).map(async (task) => task()));
  let leaving = false;
  const leave = async (code: number) => {
    if (leaving) return;
    leaving = true;
    turn?.stop.abort();
    await Promise.race([end(), delay(LEAVING_MS)]);
    process.exit(code);
  };
  process.on("exit", () => {
    void end();
    processes.endAll();
    terminal.close();
  });
  for (const [signal, code] of Object.entries({ SIGHUP: 129, SIGQUIT: 131, SIGTERM: 143 })) {
    process.on(signal, () => void leave(code));
  }
  terminal.gone.addEventListener("abort", () => void leave(1));
  process.on("uncaughtException", (error) => {
    terminal.close();
    console.error(error);
    void leave(1);
  });

  const agent = createAgent({
    workspace,
    settings,
    connection,
    processes,
    inbox,
    emit,
    clock: realClock,
    signal: () => turn?.stop.signal ?? idle,
    ask: async (question, signal) => (turn?.attended === false ? undefined : terminal.ask(question, signal)),
    defer: (task) => void ends.push(task),
  });
  const messages: MessageParam[] = [];

  let interruptedAt = Number.NEGATIVE_INFINITY;
  const interrupt = () => {
    const sameIntent = performance.now() - interruptedAt < SAME_INTENT_MS;
    if (turn && !turn.stop.signal.aborted) {
      interruptedAt = performance.now();
      turn.stop.abort();
    } else if (!sameIntent) void leave(turn ? 130 : 0);
  };
  terminal.onInterrupt(() => setImmediate(interrupt)); // a line that came with it is a turn by then

  const run = async (items: Item[]): Promise<boolean> => {
    const stop = new AbortController();
    turn = { stop, attended: items.some(({ origin }) => ATTENDED.has(origin)) };
    const error = await runTurn(agent, messages, items.map(({ text }) => text).join("\n\n"));
    turn = undefined;
    interruptedAt = stop.signal.aborted ? performance.now() : Number.NEGATIVE_INFINITY;
    if (error && !leaving) note(stop.signal.aborted ? "[interrupted]" : describeError(error));
    return !error;
  };
  const next = () => run(inbox.take());
  const prompt = (item: Item) => {
    inbox.put(item);
    return run(inbox.take(item.origin));
  };

  const commandOf = new Map(Object.entries(commands));
  const loop = async () => {
    note(`${connection.description} (Ctrl-C or Ctrl-D leaves)`);
    // Once the prompt is there: what takes long to load does so while one types. What is wrong, the turn tells.
    setImmediate(() => void connection.client().catch(() => {}));
    while (true) {
      const arrival = inbox.arrival();
      const line = (await terminal.read(`${name} >> `, arrival))?.trim();
      const command = commandOf.get(line?.split(/\s/, 1)[0] ?? "");
      if (line === undefined && arrival.aborted) await next();
      else if (line === undefined || /^(q|\/?quit|\/?exit)$/.test(line)) return;
      else if (command) await command(line.replace(/^\S+\s*/, ""), host);
      else if (line !== "") await prompt({ origin: "user", text: line });
    }
  };
  const host: Host<Agent> = { agent, messages, prompt, next, loop };

  if (main) return leave(await main(words, host));
  if (onlyPrompt) {
    if (connection.offline) note(connection.description);
    return leave((await prompt({ origin: "user", text: onlyPrompt })) ? 0 : 1);
  }
  await loop();
  await leave(0);
}

/** Somebody watches a turn of these origins: questions are asked. In any other nobody answers. */
const ATTENDED = new Set(["user", "goal"]);

/** What is to be done at the end may take so many ms. */
const LEAVING_MS = 1000;

/** A second Ctrl-C within so many ms still means the turn that the first one ended. */
const SAME_INTENT_MS = 1000;

/** What one sees of a turn before the model speaks. */
const BUSY = "working, Ctrl-C stops it … ";

/** Who tries an option that is none is told what there is. */
function leaveWithUsage(name: string, option: string): never {
  const wanted = /^(-h|--help)$/.test(option);
  (wanted ? console.log : console.error)(usage(name));
  return process.exit(wanted ? 0 : 2);
}

const usage = (name: string) => `Usage: pnpm tsx chapters/${name}/code.ts [--trace] ["a prompt"]

Without a prompt it asks for one, again and again; q leaves. When its input is no terminal each line of it is a prompt,
and a question takes the next line as its answer.

--trace  also TRACE=1: shows what goes to the model and what comes back, as lines of JSON on stderr`;
