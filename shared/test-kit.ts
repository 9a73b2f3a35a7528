/** What the chapters' tests stand on: a real agent in a folder of its own, a scripted model behind the strict server. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type {
  Message,
  MessageCreateParams,
  MessageParam,
  ToolResultBlockParam,
  ToolUseBlock,
} from "@anthropic-ai/sdk/resources/messages";
import { onTestFinished } from "vitest";
import type { Agent as LoopAgent } from "../chapters/s01/code.ts";
import type { AgentOptions } from "./agent-options.ts";
import { realClock, type Clock } from "./clock.ts";
import { createConnection } from "./connection.ts";
import type { AgentEvent } from "./events.ts";
import { createInbox } from "./inbox.ts";
import { script, type Model, type Step } from "./offline/script.ts";
import { startOfflineServer } from "./offline/server.ts";
import { createProcesses } from "./processes.ts";
import type { Settings } from "./settings.ts";
import { showEvents } from "./show.ts";
import { runTurn } from "./turn.ts";

export * from "./offline/script.ts";

interface Stage {
  /** What the model says, in order; or what it says to each agent, by a text of that agent's system prompt. */
  script?: (Step | Model)[] | Record<string, (Step | Model)[]>;
  settings?: Settings;
  /** The real one unless given: see `stoppedClock`. */
  clock?: Clock;
  /** Files of the workspace, by path. */
  files?: Record<string, string | Buffer>;
  /** What the user answers to questions, in order; when there is none left, nobody answers. */
  answers?: string[];
}

/**
 * Puts an agent on a stage: a workspace in a new folder, a scripted model, a user who answers. All of it is gone when
 * the test has finished.
 */
export async function stageAgent<Agent extends LoopAgent>(
  createAgent: (options: AgentOptions) => Agent,
  { script: steps = [], files = {}, answers = [], settings = {}, clock = realClock }: Stage = {},
) {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "chapter-")));
  const workspace = join(place, "workspace");
  const path = (name: string) => join(workspace, name);
  const write = (name: string, content: string | Buffer) => {
    mkdirSync(dirname(path(name)), { recursive: true });
    writeFileSync(path(name), content);
  };
  mkdirSync(workspace);
  for (const [name, content] of Object.entries(files)) write(name, content);

  const model = Array.isArray(steps) ? script(steps) : cast(steps);
  const server = await startOfflineServer({ model, record: true });
  const connection = createConnection({ ANTHROPIC_API_KEY: "test-key", ANTHROPIC_BASE_URL: server.url });
  const processes = createProcesses();
  const ends: (() => unknown)[] = [];
  onTestFinished(async () => {
    for (const end of ends) await end();
    processes.endAll();
    await server.close();
    rmSync(place, { recursive: true, force: true });
  });

  let turn = new AbortController();
  const output = { text: "", printed: "", notes: "" };
  const questions: string[] = [];
  const left = [...answers];
  const events: AgentEvent[] = [];
  const show = showEvents({
    text: (piece) => void (output.text += piece),
    discard: () => void (output.text = output.text.replace(/[^\n]*\n?$/, "")),
    print: (text) => void (output.printed += `${text}\n`),
    note: (text) => void (output.notes += `${text}\n`),
  });
  const inbox = createInbox();
  const options: AgentOptions = {
    workspace,
    connection,
    processes,
    inbox,
    settings,
    signal: () => turn.signal,
    emit(event) {
      events.push(event);
      if (event.type !== "call" && event.type !== "result") show(event);
    },
    async ask(question, signal) {
      signal.throwIfAborted();
      questions.push(question);
      return left.shift();
    },
    clock,
    defer: (end) => void ends.push(end),
  };
  const agent = createAgent(options);
  const messages: MessageParam[] = [];

  return {
    agent,
    options,
    /** The folder around the workspace. */
    place,
    workspace,
    /** The conversation. */
    messages,
    /** What the agent showed: the model's text, printed lines, diagnostics. */
    output,
    /** All that the agent told. */
    events,
    /** What the user was asked. */
    questions,
    /** The n-th request that the model got, from 1. */
    request(n: number): MessageCreateParams {
      const body = server.requests[n - 1]?.body;
      if (!body) throw new Error(`there was no request ${n}, but ${server.requests.length} in all`);
      return body;
    },
    path,
    write,
    read: (name: string) => readFileSync(path(name), "utf8"),
    exists: (name: string) => existsSync(path(name)),
    /** Runs one turn. @returns what ended it early, undefined when nothing did */
    prompt: (text: string): Promise<Error | undefined> => {
      turn = new AbortController();
      return runTurn(agent, messages, text);
    },
    /** Runs a turn on what waits in the inbox, as the host does when idle, until nothing waits. */
    async drain(): Promise<void> {
      while (inbox.arrival().aborted) {
        turn = new AbortController();
        await runTurn(
          agent,
          messages,
          inbox
            .take()
            .map(({ text }) => text)
            .join("\n\n"),
        );
      }
    },
    /** Ctrl-C. */
    interrupt: () => turn.abort(),
    /** The results of all calls of the conversation, in order: text, and whether it is an error. */
    results: () => messages.flatMap(({ content }) => (typeof content === "string" ? [] : content)).flatMap(resultOf),
  };
}

const resultOf = (block: { type: string } | ToolResultBlockParam) =>
  block.type === "tool_result" && "tool_use_id" in block
    ? [{ text: typeof block.content === "string" ? block.content : "", isError: block.is_error === true }]
    : [];

/** A clock that stands still until it is turned. */
export function stoppedClock(start = Date.UTC(2026, 0, 1)) {
  let now = start;
  const sleepers = new Set<{ until: number; wake: () => void }>();
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    now: () => now,
    sleep: (ms: number, signal: AbortSignal) =>
      new Promise<void>((wake, reject) => {
        signal.throwIfAborted();
        signal.addEventListener("abort", () => reject(signal.reason));
        sleepers.add({ until: now + ms, wake });
      }),
    /** Lets time pass: who sleeps wakes in order, and may sleep again. */
    async pass(ms: number): Promise<void> {
      const end = now + ms;
      for (;;) {
        await settle();
        const [first] = [...sleepers].toSorted((a, b) => a.until - b.until);
        if (!first || first.until > end) break;
        sleepers.delete(first);
        now = first.until;
        first.wake();
      }
      now = end;
    },
  };
}

/** Says to each agent what is meant for it: the first whose name is in its system prompt. */
export function cast(roles: Record<string, (Step | Model)[]>): Model {
  const models = Object.entries(roles).map(([name, steps]) => ({ name, model: script(steps) }));
  return (request) => {
    const system = JSON.stringify(request.system ?? "");
    const role = models.find(({ name }) => system.includes(name)); // "" is in every one: put it last
    if (!role) throw new Error(`no script for an agent with this prompt: ${system}`);
    return role.model(request);
  };
}

/** A call as an agent's `tool` gets it. */
export const toolUse = (name: string, input: unknown = {}, id = "toolu_1"): ToolUseBlock => ({
  type: "tool_use",
  id,
  name,
  input,
  caller: { type: "direct" },
});

/** A reply as an agent's `model` gives it. */
export const message = (content: Message["content"], stop?: Message["stop_reason"]): Message => ({
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "claude-sonnet-5",
  content,
  container: null,
  diagnostics: null,
  stop_details: null,
  stop_reason: stop ?? (content.some(({ type }) => type === "tool_use") ? "tool_use" : "end_turn"),
  stop_sequence: null,
  usage: {
    input_tokens: 1,
    output_tokens: 1,
    cache_creation: null,
    cache_creation_input_tokens: null,
    cache_read_input_tokens: null,
    inference_geo: null,
    output_tokens_details: null,
    server_tool_use: null,
    service_tier: null,
    speed: null,
  },
});

/** The command lines of all processes on this machine that contain a text. */
export function runningProcesses(text: string): string[] {
  const lines = execFileSync("ps", ["-A", "-o", "stat=,args="], { encoding: "utf8" }).split("\n");
  return lines.filter((line) => line.includes(text) && !line.startsWith("Z")); // Z: has ended, not yet collected
}
