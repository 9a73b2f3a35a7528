import type { Message, StopReason, ToolResultBlockParam, ToolUseBlock } from "@anthropic-ai/sdk/resources/messages";
import type { AgentOptions } from "./agent-options.ts";
import type { ModelRequest } from "./connection.ts";
import { shortened } from "./shorten.ts";

interface ShownAgent {
  model: (request: ModelRequest) => Promise<Message>;
  tool: (call: ToolUseBlock) => Promise<ToolResultBlockParam>;
}

/**
 * Shows on a terminal what an agent does: every call as a line, the beginning of its result, and that a reply was cut
 * off. To be put around all other layers, so that one sees what the agent makes of it all.
 */
export function showWork(agent: ShownAgent, { terminal, signal }: Pick<AgentOptions, "terminal" | "signal">): void {
  const { model, tool } = agent;
  agent.model = async (request) => {
    const reply = await model(request);
    const warning = reply.stop_reason && WARNINGS[reply.stop_reason];
    if (warning) terminal.note(`[${warning}]`);
    return reply;
  };
  agent.tool = async (call) => {
    signal().throwIfAborted(); // after Ctrl-C it will not run
    terminal.print(callLine(call));
    const result = await tool(call);
    terminal.print(preview(result), "dim");
    return result;
  };
}

/** How a reply can end that people should know of: it looks like any other. */
const WARNINGS: Partial<Record<StopReason, string>> = {
  max_tokens: "the reply was cut off: it reached max_tokens",
  model_context_window_exceeded: "the reply was cut off: the conversation fills the context window",
  refusal: "the model refused to go on",
};

const CALL_LENGTH = 100; // characters
const LINE_LENGTH = 160; // characters
const PREVIEW_LINES = 4;

/** A call in one line: the texts among its arguments as they are. */
function callLine({ name, input }: ToolUseBlock): string {
  const values = Object.values(input ?? {}).map((value) => (typeof value === "string" ? value : JSON.stringify(value)));
  const lines = `● ${name} ${values.join(" · ")}`.split("\n").map((line) => line.trim().replaceAll(/\s+/g, " "));
  return shortened(lines.filter(Boolean).join(" ⏎ "), CALL_LENGTH);
}

function preview({ content }: ToolResultBlockParam): string {
  const text = typeof content === "string" ? content : "(not text)";
  const lines = text
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => shortened(line, LINE_LENGTH));
  const more = lines.length - PREVIEW_LINES;
  const shown = more > 1 ? [...lines.slice(0, PREVIEW_LINES), `… ${more} more lines`] : lines;
  return shown.map((line, i) => `${i === 0 ? "  └ " : "    "}${line}`).join("\n");
}
