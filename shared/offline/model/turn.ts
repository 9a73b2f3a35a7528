/** What the offline model sees of a request: the prompt, and what was done about it so far. */
import type { MessageCreateParams } from "@anthropic-ai/sdk/resources/messages";

/** One tool call and what came of it. */
export interface Outcome {
  name: string;
  input: Record<string, unknown>;
  output: string;
  failed: boolean;
}

export interface Turn {
  /** The newest words of the user, without what the harness put between them. */
  prompt: string;
  /** What the user said before that, oldest first. */
  earlier: string[];
  /** A round is one reply with calls, made since the prompt. */
  rounds: Outcome[][];
  /** The harness asks for the to-do list to be updated. */
  reminded: boolean;
  /** Names of the tools that may be called. */
  tools: ReadonlySet<string>;
}

/** What a harness adds to user messages is not said by the user. */
const FROM_HARNESS = /<(reminder|system-reminder|task_notification)>(?:(?!<\1>)[\s\S])*?<\/\1>/g;

/** Reads the turn that a request is about. Takes any shape of message: what it does not know it passes over. */
export function readTurn(request: MessageCreateParams): Turn {
  const messages = records(request.messages);
  const start = messages.findLastIndex((message) => message.role === "user" && wordsOf(message) !== "");
  const since = messages.slice(start + 1);
  const results = new Map(
    since.flatMap((message) => blocksOf(message, "tool_result")).map((block) => [block.tool_use_id, block]),
  );
  const rounds = since.map((message) => blocksOf(message, "tool_use")).filter((calls) => calls.length > 0);
  return {
    prompt: wordsOf(messages[start] ?? {}),
    earlier: messages
      .slice(0, Math.max(start, 0))
      .filter((message) => message.role === "user")
      .map(wordsOf)
      .filter((words) => words !== ""),
    rounds: rounds.map((calls) => calls.map((call) => outcomeOf(call, results.get(call.id) ?? {}))),
    reminded: textOf(messages.at(-1)?.content).includes("<reminder>"),
    tools: new Set(request.tool_choice?.type === "none" ? [] : toolNames(request)),
  };
}

/** All text of a message's content: its text blocks, or the string it is. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return records(content)
    .map((block) => (block.type === "text" && typeof block.text === "string" ? block.text : ""))
    .filter((text) => text !== "")
    .join("\n");
}

/** The objects of a list; nothing when it is no list. */
export function records(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function toolNames(request: MessageCreateParams): string[] {
  return records(request.tools).flatMap((tool) => (typeof tool.name === "string" ? [tool.name] : []));
}

function wordsOf(message: Record<string, unknown>): string {
  return textOf(message.content).replace(FROM_HARNESS, "").trim();
}

function blocksOf(message: Record<string, unknown>, type: string): Record<string, unknown>[] {
  return records(message.content).filter((block) => block.type === type);
}

function outcomeOf(call: Record<string, unknown>, result: Record<string, unknown>): Outcome {
  return {
    name: typeof call.name === "string" ? call.name : "",
    input: isRecord(call.input) ? call.input : {},
    output: textOf(result.content),
    failed: result.is_error === true,
  };
}
