/** s01 · The agent loop: ask the model, run the commands it asks for, show it the results, until it asks for none. */
import type { Message, MessageParam, ToolResultBlockParam, ToolUseBlock } from "@anthropic-ai/sdk/resources/messages";
import type { AgentOptions } from "shared/agent-options";
import { runChapter } from "shared/chapter";
import { send, type ModelRequest } from "shared/connection";
import { appendReply, failure, joinSections, toolResult, type Prompt, type ToolOutput } from "shared/conversation";
import { watched } from "shared/events";
import { commandOutput } from "shared/processes";
import { z } from "zod";

/** An agent is three functions. Every later chapter wraps one of them, or adds a tool or a section of the prompt. */
export interface Agent {
  /** Think: one call to the model, on the conversation itself. Rejects when that fails or the turn is interrupted. */
  model: (request: ModelRequest) => Promise<Message>;
  /** Act: one tool call. A failure is an answer too; rejects only when the turn is interrupted. */
  tool: (call: ToolUseBlock) => Promise<ToolResultBlockParam>;
  /** One turn: think and act until the model asks for no tool. */
  turn: (messages: MessageParam[]) => Promise<void>;
  prompt: Prompt; // what the model is told before all else, in named sections
  options: AgentOptions; // what the agent was given: a folder, a model, somebody who watches
}

/**
 * Runs one turn of an agent on a conversation, which grows as it goes.
 * @exercise Ask the model. `appendReply` adds its reply to the conversation and gives the calls that are to be run; when
 * there are none, the turn is over. Else push one user message, fill it with the result of each call, and ask again.
 */
export async function agentLoop(agent: Agent, messages: MessageParam[]): Promise<void> {
  while (true) {
    const calls = appendReply(messages, await agent.model({ messages })); // assistant: [text…, tool_use…]
    if (calls.length === 0) return;
    const results: ToolResultBlockParam[] = [];
    messages.push({ role: "user", content: results }); // user: [tool_result…], one for each call
    for (const call of calls) results.push(await agent.tool(call));
  }
}

export const bashInput = z.object({ command: z.string() });
export const BASH = {
  name: "bash",
  description: "Run a shell command: in a new shell in the workspace, without input, 120 seconds at the most.",
  input_schema: { ...z.toJSONSchema(bashInput), type: "object" as const }, // the API takes objects only
};

/** Runs a shell command in the workspace. What it printed and how it ended is the answer, also where it failed. */
export const bash = async (command: string, { processes, workspace, signal }: AgentOptions): Promise<ToolOutput> =>
  commandOutput(await processes.run(command, { cwd: workspace, signal: signal(), limit: 120 }));

/** The agent of this chapter. Whoever wraps `model` decides: what a request brings along wins over what is set here. */
export function createAgent(options: AgentOptions): Agent {
  const agent: Agent = {
    model: async (request) => send(options, { system: await joinSections(agent.prompt), tools: [BASH], ...request }),
    async tool(call) {
      const { data } = bashInput.safeParse(call.input);
      if (call.name !== BASH.name || !data) return toolResult(call, failure("Error: the one tool is bash {command}"));
      return toolResult(call, await bash(data.command, options));
    },
    turn: (messages) => agentLoop(watched(agent), messages), // watched: its calls and their results are shown
    prompt: { identity: () => `You are a coding agent at ${options.workspace}. Use your tools; act, don't explain.` },
    options,
  };
  return agent;
}

await runChapter(import.meta, createAgent);
