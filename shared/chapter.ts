import { basename, dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { Message, MessageParam, ToolResultBlockParam, ToolUseBlock } from "@anthropic-ai/sdk/resources/messages";
import type { AgentOptions } from "./agent-options.ts";
import { createConnection, type ModelRequest } from "./connection.ts";
import { describeError } from "./errors.ts";
import { createProcesses } from "./processes.ts";
import { readSettings } from "./settings.ts";
import { showWork } from "./show.ts";
import { createTerminal } from "./terminal.ts";
import { runTurn } from "./turn.ts";
import { realPath } from "./workspace.ts";

/** What the host needs of an agent: a turn to start, and the work to show. */
interface HostedAgent {
  model: (request: ModelRequest) => Promise<Message>;
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
  const started = realPath(process.argv[1] ?? "");
  if (started !== file && `${started}.ts` !== file) return;

  const name = basename(dirname(file));
  const onlyPrompt = process.argv.slice(2).join(" ").trim();
  if (/^--?[a-z]/.test(onlyPrompt)) leaveWithUsage(name, onlyPrompt);

  const workspace = process.cwd();
  const terminal = createTerminal({ busy: BUSY });
  // Whatever ends the program, an error in an exercise too, the terminal is given back.
  for (const end of ["exit", "uncaughtExceptionMonitor"]) process.on(end, () => terminal.close());
  const connection = createConnection(readSettings(workspace));
  const processes = createProcesses();
  let turn: AbortController | undefined; // while one runs
  const idle = new AbortController();
  const options = { workspace, connection, terminal, processes, signal: () => (turn ?? idle).signal };
  const agent = createAgent(options);
  showWork(agent, options);
  const messages: MessageParam[] = [];

  process.on("exit", () => processes.endAll());
  for (const [signal, code] of Object.entries({ SIGHUP: 129, SIGQUIT: 131, SIGTERM: 143 })) {
    process.on(signal, () => process.exit(code));
  }
  let interruptedAt = Number.NEGATIVE_INFINITY;
  const interrupt = () => {
    const patient = performance.now() - interruptedAt > IMPATIENCE;
    if (turn && !turn.signal.aborted) {
      interruptedAt = performance.now();
      turn.abort();
    } else if (patient) process.exit(turn ? 130 : 0);
  };
  terminal.onInterrupt(() => setImmediate(interrupt)); // a line that came with it is a turn by then

  /** @returns whether the turn went well */
  const ask = async (prompt: string): Promise<boolean> => {
    const { signal } = (turn = new AbortController());
    const error = await runTurn(agent, messages, prompt, signal);
    turn = undefined;
    interruptedAt = signal.aborted ? performance.now() : Number.NEGATIVE_INFINITY;
    if (error) terminal.note(signal.aborted ? "[interrupted]" : describeError(error));
    return !error;
  };

  if (onlyPrompt) {
    if (connection.offline) terminal.note(connection.description);
    process.exit((await ask(onlyPrompt)) ? 0 : 1);
  }

  terminal.note(`${connection.description} (Ctrl-C or Ctrl-D leaves)`);
  const prompt = `${name} >> `;
  // Once the prompt is there: what takes long to load does so while one types. What is wrong, the turn tells.
  setImmediate(() => void connection.client().catch(() => {}));
  while (true) {
    const text = (await terminal.read(prompt))?.trim();
    if (text === undefined || /^(q|\/?quit|\/?exit)$/.test(text)) break;
    if (text !== "") await ask(text);
  }
  process.exit(0);
}

/** A second Ctrl-C within so many ms still means the turn that the first one ended. */
const IMPATIENCE = 1000;

/** What one sees of a turn before the model speaks. */
const BUSY = "working, Ctrl-C stops it … ";

/** There are no options: who tries one is told what there is. */
function leaveWithUsage(name: string, option: string): never {
  const wanted = /^(-h|--help)$/.test(option);
  (wanted ? console.log : console.error)(`Usage: pnpm tsx chapters/${name}/code.ts ["a prompt"]`);
  return process.exit(wanted ? 0 : 2);
}
