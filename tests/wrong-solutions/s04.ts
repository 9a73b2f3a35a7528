import type { WrongSolution } from "../variants.ts";

const REGISTER = "registerHook: (event, hook) => void hooks[event].push(hook),";
const REGISTERED = "const registered = [...hooks[event]];";
const CALL = "const answer = await hook(...about);";
const ANSWERED = "if (answer !== null && answer !== undefined) return answer.toWellFormed();";
const WHY = "const why = `a ${event} hook failed: ${messageOf(error)}`;";
const BROKEN_GUARD = 'if (event === "PreToolUse") return why;';
const PRE = 'const blocked = await unlessAborted(signal, triggerHooks("PreToolUse", call, agent, signal));';
const BLOCKED = "if (blocked !== undefined) return toolResult";
const POST = 'await unlessAborted(signal, triggerHooks("PostToolUse", call, result, agent, signal)).catch(() => {});';
const TOOL = 'wrap(agent, "tool", "hooks", async (call, next) => {\n    const signal = agent.options.signal();';
const TURN = 'wrap(agent, "turn", "hooks", async (messages, next) => {\n    const signal = agent.options.signal();';
const SUBMIT = 'await unlessAborted(signal, triggerHooks("UserPromptSubmit", textOf(messages.at(-1)), agent, signal));';
const STOP = 'const goOn = await unlessAborted(signal, triggerHooks("Stop", messages, agent, signal));';
const CONTENT = "if (!goOn?.trim()) return;";
const GIVE_UP = "if (refused === MAX_STOPS_REFUSED) return note(agent.options, `Stop: given up, though: ${goOn}`);";
const PUSH = 'messages.push({ role: "user", content: goOn });';

export const s04: WrongSolution[] = [
  {
    name: "a hook that is registered meanwhile is called",
    noticedBy: "a hook that registers a hook is heard once",
    changes: [[REGISTERED, "const registered = hooks[event];"]],
  },
  {
    name: "an empty answer is none",
    noticedBy: "an empty one is one",
    changes: [[ANSWERED, "if (answer) return answer.toWellFormed();"]],
  },
  {
    name: "null is an answer",
    noticedBy: "the first answer wins",
    changes: [[ANSWERED, "if (answer !== undefined) return String(answer).toWellFormed();"]],
  },
  {
    name: "hooks are called after the answer",
    noticedBy: "the first answer wins",
    changes: [
      ["for (const hook of registered) {", "let first;\n      for (const hook of registered) {"],
      [ANSWERED, "if (answer !== null && answer !== undefined) first ??= answer.toWellFormed();"],
      ["      return undefined;\n    },", "      return first;\n    },"],
    ],
  },
  {
    name: "the last answer wins",
    noticedBy: "the first answer wins",
    changes: [
      ["for (const hook of registered) {", "let last;\n      for (const hook of registered) {"],
      [ANSWERED, "if (answer !== null && answer !== undefined) last = answer.toWellFormed();"],
      ["      return undefined;\n    },", "      return last;\n    },"],
    ],
  },
  {
    name: "all hooks are called at once",
    noticedBy: "the first answer wins",
    changes: [
      [
        REGISTERED,
        "const all = await Promise.allSettled(hooks[event].map(async (hook) => hook(...about)));\n      const registered = all.map(({ value, reason }) => () => { if (reason !== undefined) throw reason; return value; });",
      ],
    ],
  },
  {
    name: "nobody waits for a hook",
    noticedBy: "the first answer wins",
    changes: [[CALL, "const answer = hook(...about);"]],
  },
  {
    name: "half a character is passed on",
    noticedBy: "half a character",
    changes: [["return answer.toWellFormed();", "return answer;"]],
  },
  {
    name: "a hook is put before the others",
    noticedBy: "the first answer wins",
    changes: [[REGISTER, REGISTER.replace("push", "unshift")]],
  },
  {
    name: "all events have one list",
    noticedBy: "the first answer wins",
    changes: [
      [REGISTER, "registerHook: (event, hook) => void hooks.Stop.push(hook),"],
      [REGISTERED, "const registered = [...hooks.Stop];"],
    ],
  },
  {
    name: "all agents have one registry",
    noticedBy: "two registries have nothing in common",
    changes: [
      [
        "  return {\n    registerHook",
        "  for (const event in hooks) hooks[event] = (globalThis.__hooks ??= {})[event] ??= hooks[event];\n  return {\n    registerHook",
      ],
    ],
  },
  {
    name: "hooks are not told what happened",
    noticedBy: "tells them what happened",
    changes: [[CALL, "const answer = await hook();"]],
  },
  {
    name: "a broken guard lets through",
    noticedBy: "a hook that throws an error is reported",
    changes: [[BROKEN_GUARD, ""]],
  },
  {
    name: "a broken hook of any event answers",
    noticedBy: "a hook that throws an error is reported",
    changes: [[BROKEN_GUARD, "return why;"]],
  },
  {
    name: "a broken hook ends all",
    noticedBy: "a hook that throws an error is reported",
    changes: [[WHY, "throw error;"]],
  },
  {
    name: "a broken hook keeps the others from being called",
    noticedBy: "a hook that throws an error is reported",
    changes: [["note(owner, why);\n", "note(owner, why);\n          return undefined;\n"]],
  },
  {
    name: "a broken hook is broken in silence",
    noticedBy: "a hook that throws an error is reported",
    changes: [["note(owner, why);\n", "\n"]],
  },
  {
    name: "a broken hook is taken for an Error",
    noticedBy: "a hook that throws anything else is reported",
    changes: [[WHY, WHY.replace("messageOf(error)", "error.message")]],
  },
  {
    name: "the event of a broken hook is not named",
    noticedBy: "reported with its event",
    changes: [[WHY, WHY.replace("${event}", "")]],
  },

  {
    name: "an empty answer blocks nothing",
    noticedBy: "an empty answer blocks too",
    changes: [[BLOCKED, "if (blocked) return toolResult"]],
  },
  {
    name: "a blank answer is a blank result",
    noticedBy: "a blank answer blocks too",
    changes: [['failure(blocked.trim() || "blocked by a hook")', "failure(blocked)"]],
  },
  {
    name: "a blocked call is no error",
    noticedBy: "an answer blocks the call and is its result",
    changes: [['failure(blocked.trim() || "blocked by a hook")', 'blocked.trim() || "blocked by a hook"']],
  },
  {
    name: "a blocked call ends the turn",
    noticedBy: "an answer blocks the call and is its result",
    changes: [[BLOCKED, "if (blocked !== undefined) throw new Error(blocked);\n    if (false) return toolResult"]],
  },
  {
    name: "a PreToolUse hook outlasts Ctrl-C",
    noticedBy: "Ctrl-C ends the wait for a PreToolUse hook",
    hangs: true,
    changes: [[PRE, 'const blocked = await triggerHooks("PreToolUse", call, agent, signal);']],
  },
  {
    name: "the call runs while the guard still thinks",
    noticedBy: "an answer blocks the call and is its result",
    changes: [
      [PRE, `const running = next(call);\n    ${PRE}`],
      ["const result = await next(call);", "const result = await running;"],
    ],
  },
  {
    name: "a PostToolUse hook changes the result",
    noticedBy: "sees the call and its result, and changes nothing",
    changes: [
      ["    return result;\n", "    return said === undefined ? result : { ...result, content: said };\n"],
      [POST, `const said = ${POST}`],
    ],
  },
  {
    name: "Ctrl-C in a PostToolUse hook loses the result",
    noticedBy: "Ctrl-C in a hook loses no result",
    changes: [[POST, POST.replace(".catch(() => {})", "")]],
  },
  {
    name: "a PostToolUse hook outlasts Ctrl-C",
    noticedBy: "Ctrl-C ends the wait for a PostToolUse hook",
    hangs: true,
    changes: [[POST, 'await triggerHooks("PostToolUse", call, result, agent, signal);']],
  },
  {
    name: "nobody waits for a PostToolUse hook",
    noticedBy: "is not told of a call that was blocked, and is waited for",
    changes: [[POST, POST.replace("await ", "void ")]],
  },
  {
    name: "PostToolUse is told of calls that were blocked",
    noticedBy: "is not told of a call that was blocked",
    changes: [
      [
        BLOCKED,
        'if (blocked !== undefined) await triggerHooks("PostToolUse", call, toolResult(call, blocked), agent, signal);\n    if (blocked !== undefined) return toolResult',
      ],
    ],
  },
  {
    name: "tool hooks get the signal of the first turn",
    noticedBy: "PreToolUse says whose it is",
    changes: [
      [
        TOOL,
        'let signal;\n  wrap(agent, "tool", "hooks", async (call, next) => {\n    signal ??= agent.options.signal();',
      ],
    ],
  },
  {
    name: "turn hooks get the signal of the first turn",
    noticedBy: "Stop says whose it is",
    changes: [
      [
        TURN,
        'let signal;\n  wrap(agent, "turn", "hooks", async (messages, next) => {\n    signal ??= agent.options.signal();',
      ],
    ],
  },
  {
    name: "Ctrl-C in a turn hook is overheard",
    noticedBy: "Ctrl-C ends the wait for a Stop hook",
    hangs: true,
    changes: [[STOP, 'const goOn = await triggerHooks("Stop", messages, agent, signal);']],
  },
  {
    name: "a UserPromptSubmit hook changes the prompt",
    noticedBy: "sees the prompt, and changes nothing",
    changes: [[SUBMIT, `const words = ${SUBMIT}\n    if (words) messages[messages.length - 1].content = words;`]],
  },
  {
    name: "UserPromptSubmit is told each time round",
    noticedBy: "each prompt is told as it is",
    changes: [
      [SUBMIT, ""],
      ["      await next(messages);", `      ${SUBMIT}\n      await next(messages);`],
    ],
  },
  {
    name: "UserPromptSubmit is told the first prompt",
    noticedBy: "each prompt is told as it is",
    changes: [[SUBMIT, SUBMIT.replace("messages.at(-1)", "messages[0]")]],
  },
  {
    name: "UserPromptSubmit comes after the turn",
    noticedBy: "sees the prompt, and changes nothing",
    changes: [
      [SUBMIT, ""],
      ["await next(messages);", `await next(messages);\n      if (refused === 0) ${SUBMIT}`],
    ],
  },
  { name: "Stop is without bound", noticedBy: "never content", changes: [[GIVE_UP, ""]] },
  {
    name: "the bound is one too low",
    noticedBy: "never content",
    changes: [[GIVE_UP, GIVE_UP.replace("MAX_STOPS_REFUSED", "MAX_STOPS_REFUSED - 1")]],
  },
  {
    name: "the bound is one too high",
    noticedBy: "never content",
    changes: [[GIVE_UP, GIVE_UP.replace("refused ===", "refused >")]],
  },
  {
    name: "the bound holds for all turns together",
    noticedBy: "each turn is sent on anew",
    changes: [
      [TURN, `let refused = 0;\n  ${TURN}`],
      ["for (let refused = 0; ; refused++)", "for (; ; refused++)"],
    ],
  },
  {
    name: "it gives up in silence",
    noticedBy: "never content",
    changes: [[GIVE_UP, "if (refused === MAX_STOPS_REFUSED) return;"]],
  },
  {
    name: "the model is sent on in silence",
    noticedBy: "an answer is sent to the model and the turn goes on",
    changes: [["note(agent.options, `Stop: the model is sent on: ${goOn}`);", ""]],
  },
  {
    name: "a blank answer sends the model on",
    noticedBy: "an empty text lets the turn end",
    changes: [[CONTENT, "if (goOn === undefined) return;"]],
  },
  {
    name: "Stop is asked once",
    noticedBy: "never content",
    changes: [[PUSH, `${PUSH}\n      return next(messages);`]],
  },
  {
    name: "the model is sent on without a word",
    noticedBy: "an answer is sent to the model and the turn goes on",
    changes: [[PUSH, ""]],
  },
  {
    name: "what sends the model on is a turn of its own",
    noticedBy: "belongs to the turn it ends",
    changes: [[PUSH, `${PUSH}\n      return agent.turn(messages);`]],
  },
  {
    name: "Stop is asked after an interrupted turn",
    noticedBy: "is not asked when the turn was interrupted",
    changes: [["await next(messages);\n", "await next(messages).catch(() => {});\n"]],
  },
];
