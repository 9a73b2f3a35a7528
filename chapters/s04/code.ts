/** s04 · Hooks: others hang their code on the agent; nobody edits it. */
import type { MessageParam, ToolResultBlockParam, ToolUseBlock } from "@anthropic-ai/sdk/resources/messages";
import { createAgent as createToolAgent, wrap, type Agent as ToolAgent } from "s02-tool-use";
import { gate, leaveWorkspace } from "s03-permission";
import type { AgentOptions } from "shared/agent-options";
import { runChapter } from "shared/chapter";
import { failure, textOf, toolResult } from "shared/conversation";
import { unlessAborted } from "shared/abort";

/** What happens to an agent, and what a hook is told of it. */
export interface HookEvents {
  UserPromptSubmit: [prompt: string];
  PreToolUse: [call: ToolUseBlock];
  PostToolUse: [call: ToolUseBlock, result: ToolResultBlockParam];
  Stop: [messages: MessageParam[]];
}
type Answer = string | null | undefined | void;
export type Hook<Event extends keyof HookEvents> = (...about: HookEvents[Event]) => Answer | Promise<Answer>;

export interface Hooks {
  /** Adds a hook behind those that are there. It may be asynchronous, and take its time: Ctrl-C ends the wait. */
  registerHook: <Event extends keyof HookEvents>(event: Event, hook: Hook<Event>) => void;
  /** Calls the hooks of an event in order. The first answer wins; the hooks behind it are not called. */
  triggerHooks: <Event extends keyof HookEvents>(
    event: Event,
    ...about: HookEvents[Event]
  ) => Promise<string | undefined>;
}

export interface Agent extends ToolAgent {
  hooks: Hooks;
}

/** How often in one turn a Stop hook can send the model on. */
const MAX_STOPS_REFUSED = 5;

/**
 * A registry of hooks.
 * @param terminal is told of hooks that failed
 * @exercise `registerHook` adds a hook to the list of its event. `triggerHooks` calls those of an event one after the
 * other and gives the first answer that is neither null nor undefined. A hook that throws is noted on the terminal and
 * passed over; but at PreToolUse that it failed is the answer.
 */
export function createHooks(terminal: Pick<AgentOptions["terminal"], "note"> = { note: console.error }): Hooks {
  const hooks: { [Event in keyof HookEvents]: Hook<Event>[] } = {
    UserPromptSubmit: [],
    PreToolUse: [],
    PostToolUse: [],
    Stop: [],
  };
  return {
    registerHook: (event, hook) => void hooks[event].push(hook),
    async triggerHooks(event, ...about) {
      for (const hook of hooks[event]) {
        try {
          const answer = await hook(...about);
          if (answer !== null && answer !== undefined) return answer;
        } catch (error) {
          const why = `a ${event} hook failed: ${error instanceof Error ? error.message : String(error)}`;
          if (event === "PreToolUse") return why; // a broken guard must not open the gate
          terminal.note(`[HOOK] ${why}`);
        }
      }
      return undefined;
    },
  };
}

/**
 * Calls an agent's hooks around its tool calls and its turns.
 * @exercise Wrap `tool`: when a PreToolUse hook answers, the call is not run and that text is its failure; else run it
 * and tell the PostToolUse hooks. Wrap `turn`: tell the UserPromptSubmit hooks the prompt, run the turn, ask the Stop
 * hooks; what they answer becomes a user message and the turn goes on, MAX_STOPS_REFUSED times at the most.
 */
export function withHooks(agent: Agent, { signal }: AgentOptions): void {
  const trigger: Hooks["triggerHooks"] = (event, ...about) =>
    unlessAborted(signal(), agent.hooks.triggerHooks(event, ...about));

  wrap(agent, "tool", "hooks", (next) => async (call) => {
    const blocked = await trigger("PreToolUse", call);
    if (blocked !== undefined) return toolResult(call, failure(blocked || "blocked by a hook"));
    const result = await next(call);
    await trigger("PostToolUse", call, result).catch(() => {}); // Ctrl-C ends the wait, what the call did stays
    return result;
  });
  wrap(agent, "turn", "hooks", (next) => async (messages) => {
    await trigger("UserPromptSubmit", textOf(messages.at(-1)));
    for (let refused = 0; ; refused++) {
      await next(messages);
      const goOn = await trigger("Stop", messages);
      if (!goOn?.trim() || refused === MAX_STOPS_REFUSED) return;
      messages.push({ role: "user", content: goOn }); // user: text
    }
  });
}

// ── the hooks that come with it ──────────────────────────────────────────────────────────────────────────────────────

const LARGE_OUTPUT = 100_000; // characters

/** Says what goes on: the folder of each prompt, each call, each very long result, and the calls of each turn. */
export function watchingHooks({ registerHook }: Hooks, { terminal, workspace }: AgentOptions): void {
  registerHook("UserPromptSubmit", () => terminal.note(`[HOOK] UserPromptSubmit: working in ${workspace}`));
  registerHook("PreToolUse", ({ name }) => terminal.note(`[HOOK] PreToolUse: ${name}`));
  registerHook("PostToolUse", ({ name }, { content }) => {
    const size = typeof content === "string" ? content.length : JSON.stringify(content ?? "").length;
    if (size > LARGE_OUTPUT) terminal.note(`[HOOK] PostToolUse: large output from ${name}, ${size} characters`);
  });
  registerHook("Stop", (messages) => {
    const blocks = messages.flatMap(({ content }) => (typeof content === "string" ? [] : content));
    const calls = blocks.filter(({ type }) => type === "tool_result").length;
    terminal.note(`[HOOK] Stop: ${calls} tool calls in this conversation so far`);
  });
}

export function createAgent(options: AgentOptions): Agent {
  const hooks = createHooks(options.terminal);
  const agent: Agent = Object.assign(createToolAgent(options), { hooks });
  withHooks(agent, options);
  watchingHooks(hooks, options);
  hooks.registerHook("PreToolUse", gate(options)); // s03's gate: no longer wired in by hand
  leaveWorkspace(agent, options);
  return agent;
}

await runChapter(import.meta, createAgent);
