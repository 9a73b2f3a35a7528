/** The rules of a conversation that the API accepts, in one place, so that the loop need not know them. */
import { randomUUID } from "node:crypto";
import type {
  ContentBlock,
  ContentBlockParam,
  Message,
  MessageParam,
  ToolResultBlockParam,
  ToolUseBlock,
  ToolUseBlockParam,
} from "@anthropic-ai/sdk/resources/messages";

/** What a tool answers: text or blocks (images), and whether it tells of a failure. */
export interface ToolOutput {
  content: NonNullable<ToolResultBlockParam["content"]>;
  is_error?: boolean;
}

/** The answer to a call. Text that is empty or holds half a character could not go back to the API. */
export function toolResult(call: ToolUseBlock, output: string | ToolOutput): ToolResultBlockParam {
  const { content, is_error = false } = typeof output === "string" ? { content: output } : output;
  return {
    type: "tool_result",
    tool_use_id: call.id,
    content: sendable(content),
    ...(is_error && { is_error }),
  };
}

function sendable(content: ToolOutput["content"]): ToolOutput["content"] {
  if (typeof content === "string") return content.toWellFormed().trim() === "" ? "(no output)" : content.toWellFormed();
  const blocks = content.map((block) =>
    block.type === "text" ? { ...block, text: block.text.toWellFormed() } : block,
  );
  const kept = blocks.filter((block) => block.type !== "text" || block.text.trim() !== "");
  return kept.length === 0 ? "(no output)" : kept;
}

/** What a tool answers when it refused or something went wrong. */
export const failure = (why: string): ToolOutput => ({ content: why, is_error: true });

/** The text of a message, without its calls and results. */
export function textOf(message: MessageParam | undefined): string {
  const content = message?.content ?? "";
  if (typeof content === "string") return content;
  return content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}

/** The sections of a system prompt, by name. */
export type Prompt = Record<string, () => string | Promise<string>>;

/** The system prompt: its sections, as they are now, without those that have nothing to say. */
export async function joinSections(prompt: Prompt): Promise<string> {
  const sections = await Promise.all(Object.values(prompt).map(async (section) => section()));
  return sections.filter(Boolean).join("\n\n");
}

/**
 * Adds a reply to the conversation in the form in which it may go back, and gives the calls that are to be run.
 * Blank text is left out, and so are the calls of a reply that was cut off or refused: their arguments may be incomplete.
 * A reply of which nothing is left is not added. What a compatible endpoint gets wrong (an id twice, a block or a field
 * that the API does not know) is put right, or every later request would be refused.
 */
export function appendReply(messages: MessageParam[], reply: Message): ToolUseBlock[] {
  const complete = !["max_tokens", "model_context_window_exceeded", "refusal"].includes(reply.stop_reason ?? "");
  const ids = new Set(callsOf(messages).map(({ id }) => id));
  const content: ContentBlockParam[] = [];
  const calls: ToolUseBlock[] = [];
  for (const block of reply.content) {
    if (block.type === "tool_use") {
      if (!complete) continue;
      const call = keptCall(block, ids);
      calls.push(call);
      content.push(call);
    } else if (block.type === "text" && calls.length > 0) {
      // Behind a call nothing may be said: its result has to come next. A thought between two calls has to stay there.
      content.splice(content.findIndex(isCall), 0, ...keptWords(block));
    } else content.push(...keptWords(block));
  }
  const end = content.findLastIndex((block) => block.type === "text" || isCall(block)); // a thought ends no message
  if (end >= 0) messages.push({ role: "assistant", content: content.slice(0, end + 1) });
  return calls;
}

const isCall = (block: ContentBlockParam) => block.type === "tool_use";

/** The calls in messages, in order. */
const callsOf = (messages: Pick<MessageParam, "content">[]) =>
  messages
    .flatMap(({ content }): ContentBlockParam[] => (typeof content === "string" ? [] : content))
    .filter((block) => block.type === "tool_use");

function keptCall({ id, name, input }: ToolUseBlockParam, ids: Set<string>): ToolUseBlock {
  const usable = typeof id === "string" && /^[\w-]+$/.test(id) && !ids.has(id);
  const kept = usable ? id : `toolu_${randomUUID().replaceAll("-", "")}`;
  ids.add(kept);
  return {
    type: "tool_use",
    id: kept,
    name: isName(name) ? name.toWellFormed() : "unknown",
    input: wellFormed(input),
    caller: { type: "direct" },
  };
}

const isName = (name: unknown) =>
  typeof name === "string" && name.trim() !== "" && name.length <= 200 && !/\p{Cc}/u.test(name);

/** A block of a reply without its calls: as far as it may go back. */
function keptWords(block: ContentBlock): ContentBlockParam[] {
  switch (block.type) {
    case "text":
      return block.text.trim() ? [{ type: "text", text: block.text.toWellFormed() }] : [];
    case "thinking": // without its signature it was cut off, and a changed one is refused
      return block.signature && block.thinking.isWellFormed()
        ? [{ type: "thinking", thinking: block.thinking, signature: block.signature }]
        : [];
    case "redacted_thinking":
      return block.data ? [{ type: "redacted_thinking", data: block.data }] : [];
    default:
      return [];
  }
}

/** A value without half characters: they are legal in JSON text, but no request could carry them. */
function wellFormed(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key.toWellFormed(), wellFormed(inner)]));
}

/**
 * Answers the calls that a turn left open, however it ended, so that the conversation can go on.
 * @param why what the model reads as the answer
 */
export function settle(messages: MessageParam[], why: string): void {
  const last = messages.at(-1);
  const asked = last?.role === "assistant" ? last : messages.at(-2);
  if (asked?.role !== "assistant" || typeof asked.content === "string") return;

  const calls = asked.content.filter((block) => block.type === "tool_use");
  const answers = last?.role === "user" && Array.isArray(last.content) ? last.content : [];
  const answered = new Set(answers.map((block) => block.type === "tool_result" && block.tool_use_id));
  const open = calls.filter((call) => !answered.has(call.id));
  if (open.length === 0) return;

  if (last === asked) messages.push({ role: "user", content: answers });
  const afterResults = answers.findLastIndex((block) => block.type === "tool_result") + 1;
  answers.splice(
    afterResults,
    0,
    ...open.map(({ id }): ToolResultBlockParam => ({
      type: "tool_result",
      tool_use_id: id,
      content: why,
      is_error: true,
    })),
  );
}
