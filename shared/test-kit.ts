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
import type { AgentOptions } from "./agent-options.ts";
import { createConnection } from "./connection.ts";
import { script, type Model, type Step } from "./offline/script.ts";
import { startOfflineServer } from "./offline/server.ts";
import { createProcesses } from "./processes.ts";
import { runTurn } from "./turn.ts";

export * from "./offline/script.ts";

interface Stage {
  /** What the model says, in order. */
  script?: (Step | Model)[];
  /** Files of the workspace, by path. */
  files?: Record<string, string | Buffer>;
  /** What the user answers to questions, in order; when there is none left, nobody answers. */
  answers?: string[];
}

/**
 * Puts an agent on a stage: a workspace in a new folder, a scripted model, a user who answers. All of it is gone when
 * the test has finished.
 */
export async function rehearse<Agent extends { turn(messages: MessageParam[]): Promise<void> }>(
  createAgent: (options: AgentOptions) => Agent,
  { script: steps = [], files = {}, answers = [] }: Stage = {},
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

  const server = await startOfflineServer({ model: script(steps) });
  const connection = createConnection({ ANTHROPIC_API_KEY: "test-key", ANTHROPIC_BASE_URL: server.url });
  const processes = createProcesses();
  onTestFinished(async () => {
    processes.endAll();
    await server.close();
    rmSync(place, { recursive: true, force: true });
  });

  let turn = new AbortController();
  const output = { text: "", printed: "", notes: "" };
  const questions: string[] = [];
  const left = [...answers];
  const terminal: AgentOptions["terminal"] = {
    text: (piece) => void (output.text += piece),
    print: (text) => void (output.printed += `${text}\n`),
    note: (text) => void (output.notes += `${text}\n`),
    async ask(question, signal) {
      signal.throwIfAborted();
      questions.push(question);
      return left.shift();
    },
  };
  const options: AgentOptions = { workspace, connection, terminal, processes, signal: () => turn.signal };
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
      return runTurn(agent, messages, text, turn.signal);
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
