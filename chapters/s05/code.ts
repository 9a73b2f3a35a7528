/** s05 · Todo write: a list that the model keeps of its own work, and a reminder to keep it. */
import type { MessageParam } from "@anthropic-ai/sdk/resources/messages";
import { defineTool, wrap, type Agent as ToolAgent } from "s02-tool-use";
import { createAgent as createHookedAgent, type Agent as HookedAgent } from "s04-hooks";
import type { AgentOptions } from "shared/agent-options";
import { runChapter } from "shared/chapter";
import { textOf } from "shared/conversation";
import { z } from "zod";

// Some models send the list as JSON text, or a status in capitals. What they mean is clear.
const lowerCase = (value: unknown) => (typeof value === "string" ? value.trim().toLowerCase() : value);
const parsed = (value: unknown): unknown => {
  try {
    return typeof value === "string" ? JSON.parse(value) : value;
  } catch {
    return value; // the schema says what is wrong with it
  }
};
const todo = z.object({
  content: z.string().trim().min(1),
  status: z.preprocess(lowerCase, z.enum(["pending", "in_progress", "completed"])).default("pending"),
});
const todos = z
  .preprocess(parsed, z.array(todo))
  .refine((list) => list.filter(({ status }) => status === "in_progress").length <= 1, "only one can be in_progress");

export type Todo = z.infer<typeof todo>;

/** An agent with a list of its work. The list is no part of the conversation, so that it outlives it. */
export interface Agent extends HookedAgent {
  todos: Todo[];
}
type Planner = ToolAgent & { todos: Todo[] };

const GUIDANCE = `A task of several steps begins with todo_write: plan the steps, then do them one by one.
Keep the list up to date: the step you are at is in_progress, a step that is done is completed at once.`;
const REMINDER = "<reminder>Update your todos.</reminder>";
const PATIENCE = 3; // rounds of tool calls without todo_write

/** The list as the terminal shows it. */
export function showTodos(list: Todo[]): string {
  const marks = { pending: " ", in_progress: "▸", completed: "✓" };
  const done = list.filter(({ status }) => status === "completed").length;
  const lines = list.map(({ content, status }) => `  [${marks[status]}] ${content}`);
  return [`Todos (${done}/${list.length})`, ...(lines.length > 0 ? lines : ["  none"])].join("\n");
}

/**
 * How many rounds of tool calls there were since the last todo_write, reminder or prompt. Read off the conversation, so
 * that there is nothing to count and keep.
 * @exercise Go back from the end of the conversation. An assistant message with calls is a round; one that calls
 * todo_write ends the search, as does a user message without tool results, or with REMINDER in its text (`textOf`).
 */
export function roundsWithoutTodos(messages: MessageParam[]): number {
  let rounds = 0;
  for (const message of messages.toReversed()) {
    const blocks = typeof message.content === "string" ? [] : message.content;
    if (message.role === "assistant") {
      const calls = blocks.filter((block) => block.type === "tool_use");
      if (calls.some(({ name }) => name === "todo_write")) break;
      if (calls.length > 0) rounds++;
    } else {
      const isPrompt = !blocks.some(({ type }) => type === "tool_result");
      if (isPrompt || textOf(message).includes(REMINDER)) break;
    }
  }
  return rounds;
}

/**
 * Gives an agent a todo list, the advice to use it, and a reminder when it does not.
 * @exercise Add the tool todo_write: it replaces `agent.todos`, prints the list and answers `Updated N tasks`. Add the
 * guidance to the prompt, as `planning`. Wrap `model`: after PATIENCE rounds add the reminder to the last message itself,
 * not to a copy, after its results.
 */
export function todoWrite(agent: Planner): void {
  const description = "Plan your work, and show how far it is. Replaces the whole list.";
  const tool = defineTool("todo_write", description, z.object({ todos }), async (input) => {
    agent.todos = input.todos;
    agent.options.emit({ type: "print", text: showTodos(agent.todos) });
    return `Updated ${agent.todos.length} tasks`;
  });
  agent.tools.set("todo_write", tool);
  agent.prompt.planning = () => GUIDANCE;

  wrap(agent, "model", "todo reminder", (request, next) => {
    const last = request.messages.at(-1);
    // Into the conversation itself: what was sent once has to stay, or the prompt cache is lost.
    if (roundsWithoutTodos(request.messages) >= PATIENCE && Array.isArray(last?.content)) {
      last.content.push({ type: "text", text: REMINDER }); // user: [tool_result…, text]
    }
    return next(request);
  });
}

/** The agent of this chapter: the one of s04, with a todo list. */
export function createAgent(options: AgentOptions): Agent {
  const agent: Agent = Object.assign(createHookedAgent(options), { todos: [] });
  todoWrite(agent);
  return agent;
}

await runChapter(import.meta, createAgent);
