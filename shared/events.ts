/** What an agent does, told as it happens: a terminal shows it, `-p` prints it as JSON, a test looks at it. */
import type {
  Message,
  MessageCreateParams,
  ToolResultBlockParam,
  ToolUseBlock,
} from "@anthropic-ai/sdk/resources/messages";
import type { Agent } from "../chapters/s01/code.ts";

/** `who`: the name of an agent that works for the one in front of the user (a subagent, a teammate). */
export type AgentEvent = { who?: string } & (
  | { type: "request"; body: MessageCreateParams; side?: string } // the conversation in it is no copy, and grows
  | { type: "text"; text: string } // a piece of a reply
  | { type: "discard" } // the text since the last reply does not count: that reply failed
  | { type: "reply"; message: Message; side?: string } // a reply is complete; side: what it was asked for, see ModelRequest
  | { type: "call"; call: ToolUseBlock }
  | { type: "result"; call: ToolUseBlock; result: ToolResultBlockParam }
  | { type: "print"; text: string } // for the user
  | { type: "note"; text: string } // diagnostics
);

/** Tells whoever watches. */
export type Emit = (event: AgentEvent) => void;

/** An agent as its loop uses it: each call, and what came of it, is told to whoever watches. */
export const watched = (agent: Agent): Agent => ({
  ...agent,
  get model() {
    return agent.model; // as it is by then
  },
  async tool(call) {
    agent.options.emit({ type: "call", call });
    const result = await agent.tool(call);
    agent.options.emit({ type: "result", call, result });
    return result;
  },
});
