import type { StopReason, ToolResultBlockParam, ToolUseBlock } from "@anthropic-ai/sdk/resources/messages";
import type { AgentEvent } from "./events.ts";
import type { Terminal } from "./terminal.ts";
import { shortened } from "./shorten.ts";

/** Shows on a terminal what agents do. Those that work for another come in whole lines, with their name in front. */
export function showEvents(
  terminal: Pick<Terminal, "text" | "discard" | "print" | "note">,
): (event: AgentEvent) => void {
  const unfinished = new Map<string, string>(); // lines of text, by who says them
  return (event) => {
    const { who } = event;
    const print = (text: string, look?: "dim") => terminal.print(who ? prefixed(who, text) : text, look);
    if (event.type === "text" && who) {
      const lines = ((unfinished.get(who) ?? "") + event.text).split("\n");
      unfinished.set(who, lines.pop() ?? "");
      if (lines.length > 0) print(lines.join("\n"));
    } else if (event.type === "text") terminal.text(event.text);
    if (event.type === "discard" && who) unfinished.delete(who);
    else if (event.type === "discard") terminal.discard();
    if (event.type === "reply" && event.side === undefined) {
      const warning = event.message.stop_reason && WARNINGS[event.message.stop_reason];
      if (warning) terminal.note(`[${warning}]`);
    }
    if (event.type === "call") print(callLine(event.call));
    if (event.type === "result") print(preview(event.result), "dim");
    if (event.type === "print") print(event.text);
    if (event.type === "note") terminal.note(who ? prefixed(who, event.text) : event.text);
  };
}

const prefixed = (who: string, text: string) => text.replaceAll(/^/gm, `  ${who} │ `);

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
