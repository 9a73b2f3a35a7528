import { realpathSync } from "node:fs";
import { basename, dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { MessageParam, ToolResultBlockParam, ToolUseBlock } from "@anthropic-ai/sdk/resources/messages";
import type { AgentOptions } from "./agent-options.ts";
import { createConnection } from "./connection.ts";
import { describeError } from "./errors.ts";
import { createProcesses } from "./processes.ts";
import { readSettings } from "./settings.ts";
import { createTerminal } from "./terminal.ts";
import { runTurn } from "./turn.ts";

/** What the host needs of an agent: a turn to start, and the calls to show. */
interface HostedAgent {
  tool: (call: ToolUseBlock) => Promise<ToolResultBlockParam>;
  turn: (messages: MessageParam[]) => Promise<void>;
}

/**
 * Runs a chapter when its file is the program that was started, not when it is imported: with words on the command
 * line one turn, else a prompt loop until end of input. Ends the process.
 */
export async function runChapter(
  { url }: ImportMeta,
  createAgent: (options: AgentOptions) => HostedAgent,
): Promise<void> {
  const file = fileURLToPath(url);
  if (process.argv[1] === undefined || realpathSync(process.argv[1]) !== file) return;

  const workspace = process.cwd();
  const terminal = createTerminal();
  const connection = createConnection(readSettings(workspace));
  const processes = createProcesses();
  let turn: AbortController | undefined; // while one runs
  const idle = new AbortController();
  const agent = createAgent({ workspace, connection, terminal, processes, signal: () => (turn ?? idle).signal });
  showCalls(agent, terminal);
  const messages: MessageParam[] = [];

  const leave = (code: number): never => {
    terminal.close();
    process.exit(code);
  };
  process.on("exit", () => processes.endAll());
  process.on("SIGTERM", () => leave(143));
  process.on("SIGHUP", () => leave(129));
  terminal.onInterrupt(() => {
    if (!turn || turn.signal.aborted) leave(turn ? 130 : 0);
    else turn.abort();
  });

  /** @returns whether the turn went well */
  const ask = async (prompt: string): Promise<boolean> => {
    const { signal } = (turn = new AbortController());
    const error = await runTurn(agent, messages, prompt, signal);
    turn = undefined;
    if (error) terminal.note(signal.aborted ? "[interrupted]" : describeError(error));
    return !error;
  };

  if (connection.offline) terminal.note(OFFLINE);
  const onlyPrompt = process.argv.slice(2).join(" ");
  if (onlyPrompt.trim()) leave((await ask(onlyPrompt)) ? 0 : 1);

  const prompt = `${basename(dirname(file))} >> `;
  for (let line = terminal.read(prompt); ; line = terminal.read(prompt)) {
    // The prompt is there; what takes long to load does so while one types.
    setImmediate(() => void connection.client().catch(() => {})); // the turn tells what is wrong
    const text = (await line)?.trim();
    if (text === undefined || ["q", "quit", "exit"].includes(text)) break;
    if (text !== "") await ask(text);
  }
  leave(0);
}

const OFFLINE = "Offline model: set ANTHROPIC_API_KEY, in the environment or in .env, to talk to a real one.";

/** Shows every call as a line, and the beginning of its result below. */
function showCalls(agent: HostedAgent, terminal: AgentOptions["terminal"]): void {
  const { tool } = agent;
  agent.tool = async (call) => {
    terminal.print(`● ${call.name} ${oneLine(call.input)}`);
    const result = await tool(call);
    terminal.print(preview(result), "dim");
    return result;
  };
}

/** The arguments of a call in one line: its texts as they are. */
function oneLine(input: unknown): string {
  const values = Object.values(input ?? {}).map((value) => (typeof value === "string" ? value : JSON.stringify(value)));
  const line = values.join(" · ").replaceAll(/\s+/g, " ");
  return line.length > 100 ? `${line.slice(0, 99).toWellFormed()}…` : line;
}

const PREVIEW_LINES = 4;

function preview({ content }: ToolResultBlockParam): string {
  const text = typeof content === "string" ? content : "(not text)";
  const lines = text.split("\n").map((line) => (line.length > 160 ? `${line.slice(0, 159).toWellFormed()}…` : line));
  const more = lines.length - PREVIEW_LINES;
  const shown = more > 1 ? [...lines.slice(0, PREVIEW_LINES), `… ${more} more lines`] : lines;
  return shown.map((line, i) => `${i === 0 ? "  └ " : "    "}${line}`).join("\n");
}
