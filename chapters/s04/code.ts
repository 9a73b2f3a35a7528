/** s04 · Hooks: others hang their code on the agent; nobody edits it. */
import type { MessageParam, ToolResultBlockParam, ToolUseBlock } from "@anthropic-ai/sdk/resources/messages";
import type { Agent as LoopAgent } from "s01-agent-loop";
import { createAgent as createToolAgent, wrap, type Agent as ToolAgent } from "s02-tool-use";
import { gate, leaveWorkspace } from "s03-permission";
import type { AgentOptions } from "shared/agent-options";
import { runChapter } from "shared/chapter";
import { failure, textOf, toolResult } from "shared/conversation";
import { unlessAborted } from "shared/abort";

/** What happens to an agent, and what a hook is told of it. `whose` are the options of the agent it happens to. */
export interface HookEvents {
  UserPromptSubmit: [prompt: string, whose?: AgentOptions];
  PreToolUse: [call: ToolUseBlock, whose?: AgentOptions];
  PostToolUse: [call: ToolUseBlock, result: ToolResultBlockParam, whose?: AgentOptions];
  Stop: [messages: MessageParam[], whose?: AgentOptions];
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

/** Notes what a hook has to say on the agent's terminal, or on stderr where it has none. */
function note({ terminal }: Partial<AgentOptions>, text: string): void {
  if (terminal) terminal.note(`[HOOK] ${text}`);
  else console.error(`[HOOK] ${text}`);
}

/**
 * A registry of hooks.
 * @param owner is told of hooks that failed
 * @exercise `registerHook` adds a hook to the list of its event. `triggerHooks` calls the hooks that are on the list when
 * it begins, one after the other, and gives the first answer that is neither null nor undefined, made well-formed
 * (`toWellFormed`). When a hook throws (an `Error` or anything else), `a Stop hook failed: ` (the event's name) and what
 * it said is noted (`note`) and the next hook is called; at PreToolUse that text is the answer.
 */
export function createHooks(owner: Partial<AgentOptions> = {}): Hooks {
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
          const why = `a ${event} hook failed: ${error instanceof Error ? error.message : String(error)}`;
          if (event === "PreToolUse") return why; // a broken guard must not open the gate
          note(owner, why);
        }
      }
      return undefined;
    },
  };
}

/**
 * An agent's options for the hooks of this turn: they keep its signal, so that a hook which is still busy when the turn
 * has been interrupted does not ask its question in the next one.
 */
function ofThisTurn(options: AgentOptions): AgentOptions {
  const signal = options.signal();
  return { ...options, signal: () => signal };
}

/**
 * Calls an agent's hooks around its tool calls; Ctrl-C ends the wait for them.
 * @exercise Wrap `tool`. Trigger the events with the options `ofThisTurn`, and wait for them with `unlessAborted`. When a
 * PreToolUse hook answers, the call is not run and the text is its failure, or "blocked by a hook" where it is blank.
 * Else run it and tell the PostToolUse hooks; the result stays whatever they do, also when Ctrl-C ends the wait for them.
 */
export function toolHooks(agent: Hooked, options: AgentOptions): void {
  const { triggerHooks } = agent.hooks;
  wrap(agent, "tool", "hooks", (next) => async (call) => {
    const whose = ofThisTurn(options);
    const blocked = await unlessAborted(whose.signal(), triggerHooks("PreToolUse", call, whose));
    if (blocked !== undefined) return toolResult(call, failure(blocked.trim() || "blocked by a hook"));
    const result = await next(call);
    await unlessAborted(whose.signal(), triggerHooks("PostToolUse", call, result, whose)).catch(() => {}); // Ctrl-C
    return result;
  });
}

/**
 * Calls an agent's hooks around its turns; Ctrl-C ends the wait for them.
 * @exercise Wrap `turn`, and trigger and wait as in `toolHooks`. Tell the UserPromptSubmit hooks the prompt, which is the
 * text of the last message, run the turn, ask the Stop hooks. What they answer, if it is not blank, becomes a user message
 * and the turn goes on, MAX_STOPS_REFUSED times at the most; then it ends, and `Stop: given up, though: ` with what the
 * hook still wanted is noted.
 */
export function turnHooks(agent: Hooked, options: AgentOptions): void {
  const { triggerHooks } = agent.hooks;
  wrap(agent, "turn", "hooks", (next) => async (messages) => {
    const whose = ofThisTurn(options);
    await unlessAborted(whose.signal(), triggerHooks("UserPromptSubmit", textOf(messages.at(-1)), whose));
    for (let refused = 0; ; refused++) {
      await next(messages);
      const goOn = await unlessAborted(whose.signal(), triggerHooks("Stop", messages, whose));
      if (!goOn?.trim()) return;
      if (refused === MAX_STOPS_REFUSED) return note(options, `Stop: given up, though: ${goOn}`);
      messages.push({ role: "user", content: goOn }); // user: text
    }
  });
}

// ── the hooks that come with it ──────────────────────────────────────────────────────────────────────────────────────

const LARGE_OUTPUT = 100_000; // characters

/** Says what goes on: the folder of each prompt, each call, each very long result, and the calls of each turn. */
export function watchingHooks({ registerHook }: Hooks, owner: AgentOptions): void {
  registerHook("UserPromptSubmit", (_prompt, whose = owner) =>
    note(whose, `UserPromptSubmit: working in ${whose.workspace}`),
  );
  registerHook("PreToolUse", ({ name }, whose = owner) => note(whose, `PreToolUse: ${name}`));
  registerHook("PostToolUse", ({ name }, { content }, whose = owner) => {
    const size = typeof content === "string" ? content.length : JSON.stringify(content ?? "").length;
    if (size > LARGE_OUTPUT) note(whose, `PostToolUse: large output from ${name}, ${size} characters`);
  });
  registerHook("Stop", (messages, whose = owner) => {
    const blocks = messages.flatMap(({ content }) => (typeof content === "string" ? [] : content));
    const calls = blocks.filter(({ type }) => type === "tool_result").length;
    note(whose, `Stop: ${calls} tool ${calls === 1 ? "call" : "calls"} in this conversation so far`);
  });
}

/** The agent of this chapter: the one of s02, with s03's gate as a hook among others. */
export function createAgent(options: AgentOptions): Agent {
  const agent: Agent = Object.assign(createToolAgent(options), { hooks: createHooks(options) });
  toolHooks(agent, options);
  turnHooks(agent, options);
  watchingHooks(agent.hooks, options);
  const refuse = gate();
  agent.hooks.registerHook("PreToolUse", (call, whose = options) => refuse(call, whose));
  leaveWorkspace(agent, options);
  return agent;
}

await runChapter(import.meta, createAgent);
