/** What the offline model sees of a request: the prompt, and what was done about it so far. */
import type { MessageCreateParams } from "@anthropic-ai/sdk/resources/messages";
import { isRecord, records } from "./schema.ts";

/** One tool call and what came of it. */
export interface Outcome {
  name: string;
  input: Record<string, unknown>;
  output: string;
  failed: boolean;
}

/** A reply with calls, and their results. */
export interface Round {
  outcomes: Outcome[];
  /** The harness asked for the to-do list to be updated. */
  reminded: boolean;
}

export interface Turn {
  /** The newest words of the user, without what the harness put between them. */
  prompt: string;
  /** What the user said before that, oldest first. */
  earlier: string[];
  /** What was done since the prompt. */
  rounds: Round[];
  /** The folder the client works in, where it says so. */
  cwd: string | undefined;
}

// What a harness adds stands between tags that begin a line; those of web pages have no such names.
const TAGGED = /^[ \t]*<(reminder|environment|context|[a-z]+(?:[_-][a-z]+)+)>(?:(?!<\1>)[^])*?<\/\1>[ \t]*\n?/gim;
const WRAPPED = /^\s*<(task|user_query|user_message|user_prompt|prompt)>([^]*?)<\/\1>/i;
const FOLDER =
  /\b(?:working (?:directory|folder)|cwd|(?:currently )?working in the directory|workspace)\b[^\n/]{0,40}?[:：=]?\s*[`"'<]?(\/[^\n`"'<>]*[^\s`"'<>.,;])/i;

/** Reads the turn that a request is about. Takes any shape of message: what it does not know it passes over. */
export function readTurn(request: MessageCreateParams): Turn {
  const messages = records(request.messages);
  const start = messages.findLastIndex((message) => message.role === "user" && wordsOf(message) !== "");
  const since = messages.slice(start + 1);
  const results = new Map(
    since.flatMap(({ content }) => blocksOf(content, "tool_result")).map((block) => [block.tool_use_id, block]),
  );
  const rounds = since.flatMap((message, i): Round[] => {
    const calls = blocksOf(message.content, "tool_use");
    const outcomes = calls.map((call) => outcomeOf(call, results.get(call.id) ?? {}));
    return calls.length > 0 ? [{ outcomes, reminded: textOf(since[i + 1]?.content).includes("<reminder>") }] : [];
  });
  return {
    prompt: wordsOf(messages[start] ?? {}),
    earlier: messages
      .slice(0, Math.max(start, 0))
      .flatMap((message) => (message.role === "user" && wordsOf(message)) || []),
    rounds,
    cwd: FOLDER.exec(`${textOf(request.system)}\n${textOf(messages[0]?.content)}`.slice(0, 100_000))?.[1],
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

/** A text without what a harness put between tags. */
export const untagged = (text: string): string => (text.includes("<") ? text.replace(TAGGED, "") : text);

function wordsOf(message: Record<string, unknown>): string {
  const text = textOf(message.content);
  return (WRAPPED.exec(text)?.[2] ?? untagged(text)).trim();
}

const blocksOf = (content: unknown, type: string): Record<string, unknown>[] =>
  records(content).filter((block) => block.type === type);

const EXIT_CODE = /\[exit code [1-9]\d*\]\s*$|^Exit Code: [1-9]/im;

function outcomeOf(call: Record<string, unknown>, result: Record<string, unknown>): Outcome {
  const text = untagged(textOf(result.content));
  const wrapped = /^Command: [^]*?^(?:Output|Stdout): ([^]*?)(?=^(?:Error|Stderr|Exit Code): )/m.exec(text)?.[1];
  return {
    name: typeof call.name === "string" ? call.name : "",
    input: isRecord(call.input) ? call.input : {},
    output: wrapped ?? text,
    failed: result.is_error === true || EXIT_CODE.test(text),
  };
}
