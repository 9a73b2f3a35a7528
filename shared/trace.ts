import type { MessageCreateParams } from "@anthropic-ai/sdk/resources/messages";
import type { Emit } from "./events.ts";

/**
 * `--trace`: what goes to the model and what comes back, as JSON, an object a line. Of each request first its number, the
 * tools it offers, and how many of its messages are new; then the system prompt where it is new or has changed; then the
 * new messages: those after what the same agent's last request of the same kind had in common with this one. Marks for
 * the prompt cache move all the time and are left out. Then the reply.
 */
export function traceEvents(write: (line: string) => void): Emit {
  const lastOf = new Map<string, { system: string; messages: string[] }>();
  let requests = 0;

  return (event) => {
    if (event.type !== "request" && event.type !== "reply") return;
    const { who, side } = event;
    const from = { ...(who !== undefined && { who }), ...(side !== undefined && { side }) };
    if (event.type === "reply") {
      const { stop_reason, content, usage } = event.message;
      write(JSON.stringify({ reply: stop_reason, ...from, content, usage }, withoutMarks));
      return;
    }
    const { model, tools = [], system = "", messages } = event.body;
    const now = {
      system: JSON.stringify(system, withoutMarks),
      messages: messages.map((message) => JSON.stringify(message, withoutMarks)), // now: the conversation grows
    };
    const last = lastOf.get(JSON.stringify(from)) ?? { system: '""', messages: [] };
    lastOf.set(JSON.stringify(from), now);

    const firstNew = now.messages.findIndex((message, i) => message !== last.messages[i]);
    const fresh = firstNew < 0 ? [] : now.messages.slice(firstNew);
    const count = { messages: messages.length, new: fresh.length };
    write(JSON.stringify({ request: ++requests, ...from, model, tools: tools.map(nameOf), ...count }));
    if (now.system !== last.system) write(`{"system":${now.system}}`);
    for (const message of fresh) write(message);
  };
}

const nameOf = (tool: NonNullable<MessageCreateParams["tools"]>[number]) => ("name" in tool ? tool.name : tool.type);

const withoutMarks = (key: string, value: unknown) => (key === "cache_control" ? undefined : value);
