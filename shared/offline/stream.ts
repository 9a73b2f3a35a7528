/** A reply as the API sends it: as one message, or as events. */
import type {
  RedactedThinkingBlock,
  StopReason,
  TextBlock,
  ThinkingBlock,
  Usage,
} from "@anthropic-ai/sdk/resources/messages";
import { randomBytes } from "node:crypto";
import { type CallPart, isCall, type Reply, type WireBlock } from "./script.ts";
import { estimateTokens } from "./tokens.ts";

/** What goes over the wire as one block: whole, or as its start and its deltas. */
export interface Block {
  whole: SentBlock;
  start: SentBlock;
  deltas: Delta[];
  tokens: number;
}

/** The input is what the model wrote, right or wrong; a call may have no id. */
interface WireCall {
  type: "tool_use";
  id?: string;
  name: string;
  input: unknown;
  caller: { type: "direct" };
}

/** A streamed block says that it has no citations; a whole one leaves them out, and some clients take no null there. */
type WireText = Pick<TextBlock, "type" | "text"> & Partial<TextBlock>;

type SentBlock = WireText | ThinkingBlock | RedactedThinkingBlock | WireCall | WireBlock;

/** Thinking, open or redacted. */
export const isThought = (block: object): block is ThinkingBlock | RedactedThinkingBlock =>
  "type" in block && (block.type === "thinking" || block.type === "redacted_thinking");

type Delta =
  | { type: "text_delta"; text: string }
  | { type: "thinking_delta"; thinking: string }
  | { type: "signature_delta"; signature: string }
  | { type: "input_json_delta"; partial_json: string };

export interface WireEvent {
  type: string;
  [field: string]: unknown;
}

export interface WireMessage {
  id: string;
  type: "message";
  role: "assistant";
  model: string;
  content: SentBlock[];
  container: null;
  diagnostics: null;
  stop_details: null;
  stop_reason: StopReason | null;
  stop_sequence: string | null;
  usage: Usage;
  [beta: string]: unknown;
}

/** Code points a delta has. */
const PIECE = 12;

/** `msg_…`, `toolu_…`, `req_…` */
export const newId = (prefix: string): string => `${prefix}_${randomBytes(12).toString("hex")}`;

/** The blocks of a reply. `seal` signs thinking; `showThinking`: false sends the signature only. */
export function blocksOfReply(
  { parts, inside }: Reply,
  { seal, showThinking }: { seal: (thinking: string) => string; showThinking: boolean },
): Block[] {
  return parts.map((part, index) => {
    const cut = inside === true && index === parts.length - 1;
    if (typeof part === "string") return textBlock(cut ? firstHalf(part) : part);
    if ("redacted" in part) {
      return wholeBlock({ type: "redacted_thinking", data: part.redacted }, estimateTokens(part.redacted));
    }
    if ("block" in part) return "input" in part.block ? serverCallBlock(part.block) : wholeBlock(part.block, 0);
    if ("thinking" in part) return thinkingBlock(part.thinking, { cut, seal, showThinking });
    return callBlock(part, cut);
  });
}

function textBlock(text: string): Block {
  return {
    whole: { type: "text", text },
    start: { type: "text", text: "", citations: null },
    deltas: pieces(text).map((piece) => ({ type: "text_delta", text: piece })),
    tokens: estimateTokens(text),
  };
}

function thinkingBlock(
  thought: string,
  { cut, seal, showThinking }: { cut: boolean; seal: (thinking: string) => string; showThinking: boolean },
): Block {
  const thinking = showThinking ? (cut ? firstHalf(thought) : thought) : "";
  const signature = seal(thinking);
  const signed: Delta[] = cut ? [] : [{ type: "signature_delta", signature }];
  return {
    whole: { type: "thinking", thinking, signature: cut ? "" : signature },
    start: { type: "thinking", thinking: "", signature: "" },
    deltas: [...pieces(thinking).map((piece): Delta => ({ type: "thinking_delta", thinking: piece })), ...signed],
    tokens: estimateTokens(thought),
  };
}

/** Comes whole, without deltas. */
function wholeBlock(whole: RedactedThinkingBlock | WireBlock, tokens: number): Block {
  return { whole, start: whole, deltas: [], tokens };
}

/** Its input comes in pieces, as that of any call. */
function serverCallBlock(whole: WireBlock): Block {
  const json = JSON.stringify(whole.input);
  return { whole, start: { ...whole, input: {} }, deltas: inputDeltas(json), tokens: estimateTokens(json) };
}

function callBlock({ name, input, id, raw }: CallPart, cut: boolean): Block {
  const json = raw ?? JSON.stringify(input);
  const start: WireCall = {
    type: "tool_use",
    ...(id !== null && { id: id ?? newId("toolu") }),
    name,
    input: {},
    caller: { type: "direct" },
  };
  return {
    whole: { ...start, input: raw ?? (cut ? withoutLast(input) : input) },
    start,
    deltas: inputDeltas(cut ? firstHalf(json) : json),
    tokens: estimateTokens(json) + estimateTokens(name),
  };
}

/** The first piece is empty; a call with no arguments has only that. */
function inputDeltas(json: string): Delta[] {
  const streamed = json === "{}" ? [""] : ["", ...pieces(json)];
  return streamed.map((piece) => ({ type: "input_json_delta", partial_json: piece }));
}

/** What is left of an input whose last property was cut off. */
function withoutLast(input: unknown): unknown {
  return typeof input === "object" && input !== null ? Object.fromEntries(Object.entries(input).slice(0, -1)) : input;
}

/** Code points, so that no surrogate pair is parted. */
function firstHalf(text: string): string {
  const points = Array.from(text);
  return points.slice(0, points.length / 2).join("");
}

function pieces(text: string): string[] {
  return text.match(new RegExp(`.{1,${PIECE}}`, "gsu")) ?? [];
}

/** What stands before a break in the middle of an answer, and what would have followed. */
export interface Events {
  firstHalf: WireEvent[];
  rest: WireEvent[];
}

/** The events of a message, in their order. */
export function eventsOf(message: WireMessage, blocks: Block[]): Events {
  const { usage, stop_reason, stop_sequence } = message;
  const begun = {
    ...message,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { ...usage, output_tokens: 1 },
  };
  const content = blocks.flatMap(blockEvents);
  const middle = Math.ceil(content.length / 2);
  return {
    firstHalf: [{ type: "message_start", message: begun }, { type: "ping" }, ...content.slice(0, middle)],
    rest: [
      ...content.slice(middle),
      {
        type: "message_delta",
        delta: { stop_reason, stop_sequence, stop_details: null, container: null },
        usage: finalUsage(usage),
      },
      { type: "message_stop" },
    ],
  };
}

function blockEvents({ start, deltas }: Block, index: number): WireEvent[] {
  return [
    { type: "content_block_start", index, content_block: start },
    ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
    { type: "content_block_stop", index },
  ];
}

function finalUsage({
  input_tokens,
  cache_read_input_tokens,
  cache_creation_input_tokens,
  output_tokens,
  output_tokens_details,
  server_tool_use,
}: Usage) {
  return {
    input_tokens,
    cache_read_input_tokens,
    cache_creation_input_tokens,
    output_tokens,
    output_tokens_details,
    server_tool_use,
  };
}

/** The `event:` line is needed: clients pass over events without it. */
export function eventText(event: WireEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

/** Default stop reason of these parts. */
export function stopReason({ parts, stop }: Reply): StopReason {
  return stop ?? (parts.some(isCall) ? "tool_use" : "end_turn");
}
