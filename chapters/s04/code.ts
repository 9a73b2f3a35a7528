/** s04 · Hooks: anyone can attach code to the agent, and nobody edits it. */
import type { MessageParam, ToolResultBlockParam, ToolUseBlock } from "@anthropic-ai/sdk/resources/messages";
import { unwrap, wrap, type Agent as ToolAgent } from "s02-tool-use";
import { createAgent as createGuardedAgent, gate } from "s03-permission";
import type { AgentOptions } from "shared/agent-options";
import { runChapter } from "shared/chapter";
import { unlessAborted } from "shared/abort";
import { failure, textOf, toolResult } from "shared/conversation";
import { messageOf } from "shared/errors";

/** What happens to an agent, and what a hook is told of it. The signal is that of the turn it happens in. */
export interface HookEvents {
  UserPromptSubmit: [prompt: string, agent: ToolAgent, signal: AbortSignal];
  PreToolUse: [call: ToolUseBlock, agent: ToolAgent, signal: AbortSignal];
  PostToolUse: [call: ToolUseBlock, result: ToolResultBlockParam, agent: ToolAgent, signal: AbortSignal];
  Stop: [messages: MessageParam[], agent: ToolAgent, signal: AbortSignal];
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

/** How often in one turn a Stop hook can send the model on. */
const MAX_STOPS_REFUSED = 5;

/** Notes what a hook has to say: to whoever watches the agent, or on stderr where hooks are used without one. */
function note({ emit }: Partial<Pick<AgentOptions, "emit">>, what: string): void {
  const text = `[HOOK] ${what}`;
  if (emit) emit({ type: "note", text });
  else console.error(text);
}

/**
 * A registry of hooks.
 * @param owner is told of hooks that failed
 * @exercise `registerHook` adds a hook to the list of its event. `triggerHooks` calls the hooks that are on the list when
 * it begins, one after the other, and gives the first answer that is neither null nor undefined, made well-formed
 * (`toWellFormed`). When a hook throws (an `Error` or anything else), `a Stop hook failed: ` (the event's name) and what
 * it said is noted (`note`) and the next hook is called; at PreToolUse that text is the answer.
 */
export function createHooks(owner: Partial<Pick<AgentOptions, "emit">> = {}): Hooks {
  const hooks: { [Event in keyof HookEvents]: Hook<Event>[] } = {
    UserPromptSubmit: [],
    PreToolUse: [],
    PostToolUse: [],
    Stop: [],
  };
  return {
    registerHook: (event, hook) => void hooks[event].push(hook),
    async triggerHooks(event, ...about) {
      const registered = [...hooks[event]]; // a hook may register another
      for (const hook of registered) {
        try {
          const answer = await hook(...about);
          if (answer !== null && answer !== undefined) return answer.toWellFormed();
        } catch (error) {
          const why = `a ${event} hook failed: ${messageOf(error)}`;
          if (event === "PreToolUse") return why; // a broken guard must not open the gate
          note(owner, why);
        }
      }
      return undefined;
    },
  };
}

/**
 * Calls an agent's hooks around its tool calls; Ctrl-C ends the wait for them.
 * @exercise Wrap `tool`. Trigger the events with the signal of now, and wait for them with `unlessAborted`. When a
 * PreToolUse hook answers, the call is not run and the text is its failure, or "blocked by a hook" where it is blank.
 * Else run it and tell the PostToolUse hooks; the result stays whatever they do, also when Ctrl-C ends the wait for them.
 */
export function toolHooks(agent: Agent): void {
  const { triggerHooks } = agent.hooks;
  wrap(agent, "tool", "hooks", async (call, next) => {
    const signal = agent.options.signal();
    const blocked = await unlessAborted(signal, triggerHooks("PreToolUse", call, agent, signal));
    if (blocked !== undefined) return toolResult(call, failure(blocked.trim() || "blocked by a hook"));
    const result = await next(call);
    await unlessAborted(signal, triggerHooks("PostToolUse", call, result, agent, signal)).catch(() => {}); // Ctrl-C
    return result;
  });
}

/**
 * Calls an agent's hooks around its turns; Ctrl-C ends the wait for them.
 * @exercise Wrap `turn`, and trigger and wait as in `toolHooks`. Tell the UserPromptSubmit hooks the prompt, which is the
 * text of the last message, run the turn, ask the Stop hooks. What they answer, if it is not blank, is noted (`Stop: the
 * model is sent on: ` and the text), becomes a user message, and the turn goes on, MAX_STOPS_REFUSED times at the most;
 * then it ends, and `Stop: given up, though: ` with what the hook still wanted is noted.
 */
export function turnHooks(agent: Agent): void {
  const { triggerHooks } = agent.hooks;
  wrap(agent, "turn", "hooks", async (messages, next) => {
    const signal = agent.options.signal();
    await unlessAborted(signal, triggerHooks("UserPromptSubmit", textOf(messages.at(-1)), agent, signal));
    for (let refused = 0; ; refused++) {
      await next(messages);
      const goOn = await unlessAborted(signal, triggerHooks("Stop", messages, agent, signal));
      if (!goOn?.trim()) return;
      if (refused === MAX_STOPS_REFUSED) return note(agent.options, `Stop: given up, though: ${goOn}`);
      note(agent.options, `Stop: the model is sent on: ${goOn}`);
      messages.push({ role: "user", content: goOn }); // user: text
    }
  });
}

// ── the hooks that come with it ──────────────────────────────────────────────────────────────────────────────────────

const LARGE_OUTPUT = 100_000; // characters

/** Says what goes on: the folder of each prompt, each call, each very long result, and the calls of each turn. */
export function watchingHooks({ registerHook }: Hooks): void {
  registerHook("UserPromptSubmit", (_prompt, { options }) =>
    note(options, `UserPromptSubmit: working in ${options.workspace}`),
  );
  registerHook("PreToolUse", ({ name }, { options }) => note(options, `PreToolUse: ${name}`));
  registerHook("PostToolUse", ({ name }, { content }, { options }) => {
    const size = typeof content === "string" ? content.length : JSON.stringify(content ?? "").length;
    if (size > LARGE_OUTPUT) note(options, `PostToolUse: large output from ${name}, ${size} characters`);
  });
  registerHook("Stop", (messages, { options }) => {
    const blocks = messages.flatMap(({ content }) => (typeof content === "string" ? [] : content));
    const calls = blocks.filter(({ type }) => type === "tool_result").length;
    note(options, `Stop: ${calls} tool ${calls === 1 ? "call" : "calls"} in this conversation so far`);
  });
}

/** The agent of this chapter: the one of s03, its gate a hook among others. */
export function createAgent(options: AgentOptions): Agent {
  const agent: Agent = Object.assign(createGuardedAgent(options), { hooks: createHooks(options) });
  toolHooks(agent);
  turnHooks(agent);
  watchingHooks(agent.hooks);
  unwrap(agent, "tool", "permission");
  agent.hooks.registerHook("PreToolUse", gate());
  return agent;
}

await runChapter(import.meta, createAgent);
