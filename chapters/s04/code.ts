/** s04 · Hooks: others hang their code on the agent; nobody edits it. */
import type { MessageParam, ToolResultBlockParam, ToolUseBlock } from "@anthropic-ai/sdk/resources/messages";
import type { Agent as LoopAgent } from "s01-agent-loop";
import { createAgent as createToolAgent, wrap, type Agent as ToolAgent } from "s02-tool-use";
import { gate, leaveWorkspace } from "s03-permission";
import type { AgentOptions } from "shared/agent-options";
import { runChapter } from "shared/chapter";
import { failure, textOf, toolResult } from "shared/conversation";
import { unlessAborted } from "shared/abort";

/** What happens to an agent, and what a hook is told of it: at the end always whose hook it is. */
export interface HookEvents {
  UserPromptSubmit: [prompt: string, options: AgentOptions];
  PreToolUse: [call: ToolUseBlock, options: AgentOptions];
  PostToolUse: [call: ToolUseBlock, result: ToolResultBlockParam, options: AgentOptions];
  Stop: [messages: MessageParam[], options: AgentOptions];
}
type Answer = string | null | undefined | void;

/** It may be asynchronous, and take its time: Ctrl-C ends the wait for it. */
export type Hook<Event extends keyof HookEvents> = (...about: HookEvents[Event]) => Answer | Promise<Answer>;

export interface Hooks {
  /** Adds a hook after those that are there. */
  registerHook: <Event extends keyof HookEvents>(event: Event, hook: Hook<Event>) => void;
  /** Calls the hooks of an event in order. The first answer wins; the hooks after it are not called. */
  triggerHooks: <Event extends keyof HookEvents>(
    event: Event,
    ...about: HookEvents[Event]
  ) => Promise<string | undefined>;
}

/** An agent that others can hang their code on. */
export interface Agent extends ToolAgent {
  hooks: Hooks;
}
type Hooked = LoopAgent & { hooks: Hooks };

/** How often in one turn a Stop hook can send the model on. */
const MAX_STOPS_REFUSED = 5;

/**
 * A registry of hooks.
 * @param terminal is told of hooks that failed; without one stderr is
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

/** Triggers an event of an agent, and waits for its hooks until Ctrl-C. */
const trigger =
  ({ hooks }: Hooked, { signal }: AgentOptions): Hooks["triggerHooks"] =>
  (event, ...about) =>
    unlessAborted(signal(), hooks.triggerHooks(event, ...about));

/**
 * Calls an agent's hooks around its tool calls.
 * @exercise Wrap `tool`, and call the hooks with `trigger(agent, options)`. When a PreToolUse hook answers, the call is
 * not run and the text is its failure, or "blocked by a hook" where it is blank. Else run it and tell the PostToolUse
 * hooks; the result stays whatever they do, also when Ctrl-C ends the wait for them.
 */
export function toolHooks(agent: Hooked, options: AgentOptions): void {
  wrap(agent, "tool", "hooks", (next) => async (call) => {
    const blocked = await trigger(agent, options)("PreToolUse", call, options);
    if (blocked !== undefined) return toolResult(call, failure(blocked.trim() || "blocked by a hook"));
    const result = await next(call);
    await trigger(agent, options)("PostToolUse", call, result, options).catch(() => {}); // Ctrl-C: the result stays
    return result;
  });
}

/**
 * Calls an agent's hooks around its turns.
 * @exercise Wrap `turn`, and call the hooks with `trigger(agent, options)`. Tell the UserPromptSubmit hooks the prompt,
 * run the turn, ask the Stop hooks. What they answer, if it is not blank, becomes a user message and the turn goes on,
 * MAX_STOPS_REFUSED times at the most; then the terminal notes what the hook still wanted.
 */
export function turnHooks(agent: Hooked, options: AgentOptions): void {
  wrap(agent, "turn", "hooks", (next) => async (messages) => {
    await trigger(agent, options)("UserPromptSubmit", textOf(messages.at(-1)), options);
    for (let refused = 0; ; refused++) {
      await next(messages);
      const goOn = await trigger(agent, options)("Stop", messages, options);
      if (!goOn?.trim()) return;
      if (refused === MAX_STOPS_REFUSED) return options.terminal.note(`[HOOK] Stop: given up, though: ${goOn}`);
      messages.push({ role: "user", content: goOn }); // user: text
    }
  });
}

// ── the hooks that come with it ──────────────────────────────────────────────────────────────────────────────────────

const LARGE_OUTPUT = 100_000; // characters

/** Says what goes on: the folder of each prompt, each call, each very long result, and the calls of each turn. */
export function watchingHooks({ registerHook }: Hooks): void {
  registerHook("UserPromptSubmit", (_prompt, { terminal, workspace }) =>
    terminal.note(`[HOOK] UserPromptSubmit: working in ${workspace}`),
  );
  registerHook("PreToolUse", ({ name }, { terminal }) => terminal.note(`[HOOK] PreToolUse: ${name}`));
  registerHook("PostToolUse", ({ name }, { content }, { terminal }) => {
    const size = typeof content === "string" ? content.length : JSON.stringify(content ?? "").length;
    if (size > LARGE_OUTPUT) terminal.note(`[HOOK] PostToolUse: large output from ${name}, ${size} characters`);
  });
  registerHook("Stop", (messages, { terminal }) => {
    const blocks = messages.flatMap(({ content }) => (typeof content === "string" ? [] : content));
    const calls = blocks.filter(({ type }) => type === "tool_result").length;
    terminal.note(`[HOOK] Stop: ${calls} tool calls in this conversation so far`);
  });
}

/** The agent of this chapter: the one of s02, with s03's gate as a hook among others. */
export function createAgent(options: AgentOptions): Agent {
  const agent: Agent = Object.assign(createToolAgent(options), { hooks: createHooks(options.terminal) });
  toolHooks(agent, options);
  turnHooks(agent, options);
  watchingHooks(agent.hooks);
  agent.hooks.registerHook("PreToolUse", gate());
  leaveWorkspace(agent, options);
  return agent;
}

await runChapter(import.meta, createAgent);
