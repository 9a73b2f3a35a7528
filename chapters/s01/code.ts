/** s01 · The agent loop: ask the model, run the commands it asks for, show it the results, until it asks for none. */
import type { Message, MessageParam, ToolResultBlockParam, ToolUseBlock } from "@anthropic-ai/sdk/resources/messages";
import type { AgentOptions } from "shared/agent-options";
import { runChapter } from "shared/chapter";
import { send, type ModelRequest } from "shared/connection";
import { failure, joinSections, keepReply, toolResult, type ToolOutput } from "shared/conversation";
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
  /** What the model is told before all else: the sections of the system prompt, by name. */
  prompt: Record<string, () => string>;
}

/**
 * Runs one turn of an agent on a conversation, which grows as it goes.
 * @exercise Ask the model. `keepReply` adds its reply to the conversation and gives the calls that are to be run; when
 * there are none, the turn is over. Else push one user message, fill it with the result of each call, and ask again.
 */
export async function agentLoop(agent: Agent, messages: MessageParam[]): Promise<void> {
  while (true) {
    const calls = keepReply(messages, await agent.model({ messages })); // assistant: [text…, tool_use…]
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
export async function bash(command: string, { processes, workspace, signal }: AgentOptions): Promise<ToolOutput> {
  return commandOutput(await processes.run(command, { cwd: workspace, signal: signal(), limit: 120 }));
}

/** The agent of this chapter. Whoever wraps `model` decides: what a request brings along wins over what is set here. */
export function createAgent(options: AgentOptions): Agent {
  const agent: Agent = {
    model: (request) => send(options, { system: joinSections(agent.prompt), tools: [BASH], ...request }),
    async tool(call) {
      const { data } = bashInput.safeParse(call.input);
      if (call.name !== BASH.name || !data) return toolResult(call, failure("Error: the one tool is bash {command}"));
      return toolResult(call, await bash(data.command, options));
    },
    turn: (messages) => agentLoop(agent, messages),
    prompt: { identity: () => `You are a coding agent at ${options.workspace}. Use your tools; act, don't explain.` },
  };
  return agent;
}

await runChapter(import.meta, createAgent);
