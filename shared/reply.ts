import type { Message, RawContentBlockDelta, RawMessageStreamEvent } from "@anthropic-ai/sdk/resources/messages";

type Block = Message["content"][number];

/**
 * Puts a streamed reply together. The SDK can do it too, but throws the whole reply away when the arguments of one call
 * are no JSON, and completes arguments that were cut off without a word.
 *
 * @param show gets the reply's text, piece by piece
 * @throws when the stream ends before the reply does
 */
export async function readReply(
  events: AsyncIterable<RawMessageStreamEvent>,
  show: (text: string) => void,
): Promise<Message> {
  let reply: Message | undefined;
  const parts: Part[] = [];
  const byIndex = new Map<number, Part>(); // some endpoints use an index twice: the newest is meant

  for await (const event of events) {
    if (event.type === "message_start") reply = { ...event.message, stop_reason: null }; // its end says how it ends
    if (event.type === "content_block_start") {
      const part = { block: started(event.content_block), json: "" };
      parts.push(part);
      byIndex.set(event.index, part);
      if (part.block.type === "text" && part.block.text) show(part.block.text);
    }
    if (event.type === "content_block_delta") {
      const part = byIndex.get(event.index);
      if (part) addDelta(part, event.delta, show);
    }
    if (event.type === "message_delta" && reply) {
      reply = { ...reply, ...known(event.delta), usage: { ...reply.usage, ...known(event.usage) } };
    }
  }
  if (!reply) throw new Error("the answer is no stream of the Messages API");
  if (!reply.stop_reason) throw new Error("the connection broke off in the middle of a reply");
  for (const { block, json } of parts) if (block.type === "tool_use") block.input = completeInput(block.input, json);
  return { ...reply, content: parts.map(({ block }) => block) };
}

/** A block of a reply that is still coming; of a call also its arguments so far, as JSON text. */
interface Part {
  block: Block;
  json: string;
}

/** Some endpoints leave out what is empty. */
function started(block: Block): Block {
  if (block.type === "text") return { ...block, text: block.text || "" };
  if (block.type === "thinking") return { ...block, thinking: block.thinking || "", signature: block.signature || "" };
  return { ...block };
}

function addDelta(part: Part, delta: RawContentBlockDelta, show: (text: string) => void): void {
  const { block } = part;
  if (block.type === "text" && delta.type === "text_delta" && delta.text) {
    block.text += delta.text;
    show(delta.text);
  }
  if (block.type === "thinking" && delta.type === "thinking_delta") block.thinking += delta.thinking || "";
  if (block.type === "thinking" && delta.type === "signature_delta") block.signature += delta.signature || "";
  if (delta.type === "input_json_delta") part.json += delta.partial_json || "";
}

/** Without what is null: that does not take back what an earlier event said. */
const known = (fields: object | null | undefined): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields ?? {}).filter(([, value]) => value !== null));

/** Arguments that are no JSON object are kept as text, so that the tool refuses them and the model sees why. */
function completeInput(given: unknown, json: string): unknown {
  const input = json === "" ? given : parse(json);
  return typeof input === "object" && input !== null && !Array.isArray(input) ? input : { not_a_json_object: json };
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
