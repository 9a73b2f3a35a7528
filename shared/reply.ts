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
  const blocks: Block[] = [];
  const inputs = new Map<number, string>(); // the arguments of each call so far, as JSON text

  for await (const event of events) {
    if (event.type === "message_start") reply = event.message;
    if (event.type === "content_block_start") {
      const block = started(event.content_block);
      blocks[event.index] = block;
      if (block.type === "text" && block.text) show(block.text);
    }
    if (event.type === "content_block_delta") {
      const block = blocks[event.index];
      if (block) addDelta(block, event.delta);
      if (event.delta.type === "text_delta") show(event.delta.text);
      if (event.delta.type === "input_json_delta") {
        inputs.set(event.index, (inputs.get(event.index) ?? "") + event.delta.partial_json);
      }
    }
    if (event.type === "message_delta" && reply) {
      const used = Object.entries(event.usage ?? {}).filter(([, value]) => value !== null);
      reply = { ...reply, ...event.delta, usage: { ...reply.usage, ...Object.fromEntries(used) } };
    }
  }
  if (!reply) throw new Error("the answer is no stream of the Messages API");
  if (!reply.stop_reason) throw new Error("the connection broke off in the middle of a reply");
  for (const [index, block] of blocks.entries()) {
    if (block?.type === "tool_use") block.input = completeInput(block.input, inputs.get(index) ?? "");
  }
  return { ...reply, content: blocks.filter(Boolean) };
}

/** Some endpoints leave out what is empty. */
function started(block: Block): Block {
  if (block.type === "text") return { ...block, text: block.text || "" };
  if (block.type === "thinking") return { ...block, thinking: block.thinking || "", signature: block.signature || "" };
  return { ...block };
}

function addDelta(block: Block, delta: RawContentBlockDelta): void {
  if (block.type === "text" && delta.type === "text_delta") block.text += delta.text;
  if (block.type === "thinking" && delta.type === "thinking_delta") block.thinking += delta.thinking;
  if (block.type === "thinking" && delta.type === "signature_delta") block.signature += delta.signature;
}

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
