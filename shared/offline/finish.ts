/** What the API makes of what its model says, before it goes out: the request's wishes hold whoever the model is. */
import type { MessageCreateParams, StopReason } from "@anthropic-ai/sdk/resources/messages";
import { isObject } from "./rules/shape.ts";
import { isCall, type Part, type Reply } from "./script.ts";
import { serverWork } from "./server-tools.ts";
import { jsonFor } from "./structured.ts";
import { estimateTokens, firstTokens } from "./tokens.ts";

export interface FinishedReply extends Reply {
  /** Which of the stop sequences ended it. */
  stopSequence?: string;
}

/** Thinking where it must be, server tools at work, text of the wanted form; then it ends where the request says. */
export function finish(reply: Reply, request: MessageCreateParams): FinishedReply {
  const worked = { ...reply, parts: serverWork(reply.parts, request) };
  const formed = { ...worked, parts: inWantedForm(worked.parts, request) };
  const thoughtful = { ...formed, parts: withThought(formed.parts, request) };
  return endAtLimit(endAtSequence(thoughtful, request.stop_sequences ?? []), request.max_tokens);
}

const isThought = (part: Part): boolean => typeof part === "object" && ("thinking" in part || "redacted" in part);

/** R56: with thinking enabled, a reply that does not begin with a thought makes the next request a wrong one. */
function withThought(parts: Part[], { thinking }: MessageCreateParams): Part[] {
  const [first] = parts;
  if (thinking?.type !== "enabled" || first === undefined || isThought(first)) return parts;
  const names = parts.filter(isCall).map(({ name }) => name);
  return [{ thinking: names.length > 0 ? `Next: ${names.join(", ")}.` : "I can answer this." }, ...parts];
}

/** The last text of a turn is JSON where `output_config.format` has a schema. */
function inWantedForm(parts: Part[], request: MessageCreateParams): Part[] {
  const schema = wantedSchema(request);
  if (schema === undefined || parts.some(isCall)) return parts;
  const texts = parts.filter((part) => typeof part === "string");
  return [...parts.filter((part) => typeof part !== "string"), jsonFor(schema, texts.join("\n"))];
}

function wantedSchema(request: MessageCreateParams): unknown {
  const old: unknown = "output_format" in request ? request.output_format : undefined;
  const format: unknown = request.output_config?.format ?? old;
  return isObject(format) ? format.schema : undefined;
}

/** At the first of the stop sequences in a text; that text ends before it, and nothing follows. */
function endAtSequence(reply: Reply, sequences: string[]): FinishedReply {
  for (const [index, part] of reply.parts.entries()) {
    if (typeof part !== "string") continue;
    const found = sequences
      .map((sequence) => ({ sequence, at: part.indexOf(sequence) }))
      .filter(({ at }) => at !== -1)
      .toSorted((a, b) => a.at - b.at)[0];
    if (!found) continue;
    const text = part.slice(0, found.at);
    const parts = [...reply.parts.slice(0, index), ...(text === "" ? [] : [text])];
    return { ...reply, parts, inside: false, stop: "stop_sequence", stopSequence: found.sequence };
  }
  return reply;
}

/** After `max_tokens` tokens: a text is cut, a call stays unfinished, nothing follows. */
function endAtLimit(reply: FinishedReply, most: number): FinishedReply {
  let left = most;
  for (const [index, part] of reply.parts.entries()) {
    const cost = tokensOf(part);
    if (cost <= left) {
      left -= cost;
      continue;
    }
    const before = reply.parts.slice(0, index);
    const stop: StopReason = "max_tokens";
    const { stopSequence: _, ...rest } = reply;
    const cut = left > 0 ? cutPart(part, left) : undefined;
    return {
      ...rest,
      parts: cut === undefined ? before : [...before, cut],
      stop,
      inside: cut !== undefined && isCall(cut),
    };
  }
  return reply;
}

function tokensOf(part: Part): number {
  if (typeof part === "string") return estimateTokens(part);
  if ("thinking" in part) return estimateTokens(part.thinking);
  return isCall(part) ? estimateTokens(part.raw ?? JSON.stringify(part.input)) + estimateTokens(part.name) : 0;
}

function cutPart(part: Part, left: number): Part {
  if (typeof part === "string") return firstTokens(part, left);
  return "thinking" in part ? { thinking: firstTokens(part.thinking, left) } : part;
}
