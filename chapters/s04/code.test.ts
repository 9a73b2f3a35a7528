import { createAgent as toolAgent, wrap, type Agent } from "s02-tool-use";
import { call, stageAgent, reply, say, stall, toolUse, type Model, type Step } from "shared/test-kit";
import type { AgentEvent } from "shared/events";
import { describe, expect, test, vi } from "vitest";
import { createAgent, createHooks } from "./code.ts";

const bash = (command: string) => ({ name: "bash", input: { command } });
const stageFor = (script: (Step | Model)[], stage = {}) => stageAgent(createAgent, { script, ...stage });
const neverEnds = new Promise<never>(() => {});

describe("triggerHooks", () => {
  /** Hooks of their own, what they noted, and the options of an agent to trigger them with. */
  async function registry() {
    const note = vi.fn<(text: string) => void>();
    const { agent, options } = await stageAgent(toolAgent);
    const emit = (event: AgentEvent) => void (event.type === "note" && note(event.text));
    return { ...createHooks({ emit }), note, agent, signal: options.signal() };
  }

  test("calls the hooks in order, tells them what happened and whose they are, and the first answer wins", async () => {
    const { registerHook, triggerHooks, agent, signal } = await registry();
    const seen: string[] = [];
    registerHook("Stop", () => (seen.push("another event"), "no"));
    registerHook("UserPromptSubmit", (prompt, whose) => void seen.push(`one ${prompt} ${whose.options.workspace}`));
    registerHook("UserPromptSubmit", async (prompt) => (seen.push(`two ${prompt}`), null));
    registerHook("UserPromptSubmit", async (prompt) => (seen.push(`three ${prompt}`), "my answer"));
    registerHook("UserPromptSubmit", () => (seen.push("four"), "never asked"));
    expect(await triggerHooks("UserPromptSubmit", "hi", agent, signal)).toBe("my answer");
    expect(seen).toEqual([`one hi ${agent.options.workspace}`, "two hi", "three hi"]);
  });

  test("a hook that registers a hook is heard once", async () => {
    const { registerHook, triggerHooks, agent, signal } = await registry();
    let heard = 0;
    const again = () => {
      heard++;
      if (heard < 3) registerHook("Stop", again);
    };
    registerHook("Stop", again);
    await triggerHooks("Stop", [], agent, signal);
    expect(heard).toBe(1);
  });

  test("two registries have nothing in common", async () => {
    const [one, other] = [await registry(), await registry()];
    one.registerHook("Stop", () => "no");
    expect(await other.triggerHooks("Stop", [], other.agent, other.signal)).toBeUndefined();
  });

  test("half a character in an answer is replaced: it could not go back to the API", async () => {
    const { registerHook, triggerHooks, agent, signal } = await registry();
    registerHook("Stop", () => "go on \ud83d");
    const answer = await triggerHooks("Stop", [], agent, signal);
    expect(answer).toMatch(/^go on /);
    expect(answer?.isWellFormed()).toBe(true);
  });

  test("without an answer there is none; an empty one is one", async () => {
    const { registerHook, triggerHooks, agent, signal } = await registry();
    expect(await triggerHooks("Stop", [], agent, signal)).toBeUndefined();
    registerHook("Stop", () => "");
    expect(await triggerHooks("Stop", [], agent, signal)).toBe("");
  });

  test.each<[string, unknown]>([
    ["an error", new Error("out of order")],
    ["anything else", "out of order"],
  ])(
    "a hook that throws %s is reported with its event and passed over, at PreToolUse it blocks",
    async (_what, thrown) => {
      const { registerHook, triggerHooks, note, agent, signal } = await registry();
      const broken = () => {
        throw thrown;
      };
      registerHook("Stop", broken);
      registerHook("Stop", () => "next in line");
      registerHook("PreToolUse", async () => broken());
      expect(await triggerHooks("Stop", [], agent, signal)).toBe("next in line");
      expect(note.mock.calls).toEqual([["[HOOK] a Stop hook failed: out of order"]]);
      expect(await triggerHooks("PreToolUse", toolUse("bash"), agent, signal)).toContain("out of order");
    },
  );
});

describe("every event", () => {
  const events = ["UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop"] as const;

  test.each(events)("%s says whose it is, with the signal of this turn", async (event) => {
    const step = call("bash", { command: "true" });
    const stage = await stageFor([step, say("one"), step, say("two")]);
    const seen: unknown[] = [];
    stage.agent.hooks.registerHook(event, (...about: unknown[]) => void seen.push(...about.slice(-2)));
    await stage.prompt("go");
    const first = stage.options.signal();
    await stage.prompt("go on");
    const second = stage.options.signal();
    const known = new Map<unknown, string>([
      [stage.agent, "the agent"],
      [first, "first signal"],
      [second, "second signal"],
    ]);
    const names = seen.map((one) => known.get(one));
    expect(names).toEqual(["the agent", "first signal", "the agent", "second signal"]);
  });

  test.each(events)("Ctrl-C ends the wait for a %s hook that never comes back", async (event) => {
    const stage = await stageFor([call("bash", { command: "true" }), say("one"), say("still here")]);
    let first = true;
    stage.agent.hooks.registerHook(event, () => {
      if (!first) return undefined;
      first = false;
      queueMicrotask(stage.interrupt);
      return neverEnds;
    });
    expect(await stage.prompt("go")).toBeInstanceOf(Error);
    expect(await stage.prompt("go on")).toBeUndefined();
  });
});

describe("PreToolUse", () => {
  test("an answer blocks the call and is its result; the calls beside it run", async () => {
    const stage = await stageFor([reply(bash("echo one"), bash("touch never"), bash("echo three")), say("ok")]);
    stage.agent.hooks.registerHook("PreToolUse", ({ input }) =>
      JSON.stringify(input).includes("never") ? "not that" : null,
    );
    expect(await stage.prompt("go")).toBeUndefined();
    expect(stage.results()).toEqual([
      { text: "one", isError: false },
      { text: "not that", isError: true },
      { text: "three", isError: false },
    ]);
    expect(stage.exists("never")).toBe(false);
  });

  test.each([
    ["an empty answer", () => ""],
    ["a blank answer", () => " \n"],
    [
      "a hook that throws",
      () => {
        throw new Error("out of order");
      },
    ],
  ])("%s blocks too, and the request stays valid", async (_what, hook) => {
    const stage = await stageFor([call("bash", { command: "touch never" }), say("ok")]);
    stage.agent.hooks.registerHook("PreToolUse", hook);
    expect(await stage.prompt("go")).toBeUndefined();
    expect(stage.results()).toEqual([{ text: expect.stringContaining("hook"), isError: true }]);
    expect(stage.exists("never")).toBe(false);
  });

  test("the permission gate of s03 is one of them", async () => {
    const stage = await stageFor([reply(bash("touch never; sudo id"), bash("rm a.txt"), bash("rm b.txt")), say("ok")], {
      files: { "a.txt": "", "b.txt": "" },
      answers: ["n", "y"],
    });
    await stage.prompt("go");
    expect(stage.results().map(({ isError }) => isError)).toEqual([true, true, false]);
    expect(["never", "a.txt", "b.txt"].filter(stage.exists)).toEqual(["a.txt"]);
  });

  test("a hook that outlives its turn keeps the signal of that turn: it cannot ask in the next one", async () => {
    const stage = await stageFor([call("bash", { command: "touch never" }), say("still here")]);
    let kept: [Agent, AbortSignal] | undefined;
    stage.agent.hooks.registerHook("PreToolUse", (_call, whose, signal) => {
      kept = [whose, signal];
      queueMicrotask(stage.interrupt);
      return neverEnds;
    });
    await stage.prompt("go");
    expect(await stage.prompt("go on")).toBeUndefined();
    await expect(kept?.[0].options.ask("Allow?", kept[1])).rejects.toThrow(/abort/i);
    expect(stage.questions).toEqual([]);
  });

  test("Ctrl-C ends the wait for a hook that never comes back; the call does not run", async () => {
    const stage = await stageFor([call("bash", { command: "touch never" }), say("still here")]);
    stage.agent.hooks.registerHook("PreToolUse", () => {
      queueMicrotask(stage.interrupt);
      return neverEnds;
    });
    expect(await stage.prompt("go")).toBeInstanceOf(Error);
    expect(stage.exists("never")).toBe(false);
    expect(stage.results()).toMatchObject([{ isError: true }]);
  });
});

describe("PostToolUse", () => {
  test("sees the call and its result, and changes nothing", async () => {
    const stage = await stageFor([call("bash", { command: "echo as it is" }), say("ok")]);
    const seen: unknown[] = [];
    stage.agent.hooks.registerHook(
      "PostToolUse",
      (use, result) => (seen.push(use.name, result.content), "another text"),
    );
    await stage.prompt("go");
    expect(seen).toEqual(["bash", "as it is"]);
    expect(stage.results()).toEqual([{ text: "as it is", isError: false }]);
  });

  test("is not told of a call that was blocked, and is waited for", async () => {
    const stage = await stageFor([reply(bash("echo blocked"), bash("echo runs")), say("ok")]);
    const { registerHook } = stage.agent.hooks;
    const seen: unknown[] = [];
    registerHook("PreToolUse", ({ input }) => (JSON.stringify(input).includes("blocked") ? "no" : null));
    registerHook("PostToolUse", async (use) => {
      await new Promise((resolve) => setImmediate(resolve));
      seen.push(use.input, stage.results().length);
    });
    await stage.prompt("go");
    expect(seen).toEqual([{ command: "echo runs" }, 1]);
  });

  test("a hook that throws loses no result", async () => {
    const stage = await stageFor([call("bash", { command: "echo kept" }), say("ok")]);
    stage.agent.hooks.registerHook("PostToolUse", () => Promise.reject(new Error("out of order")));
    expect(await stage.prompt("go")).toBeUndefined();
    expect(stage.results()).toEqual([{ text: "kept", isError: false }]);
    expect(stage.output.notes).toContain("out of order");
  });

  test("Ctrl-C in a hook loses no result either", async () => {
    const stage = await stageFor([call("bash", { command: "echo kept" }), say("still here")]);
    stage.agent.hooks.registerHook("PostToolUse", () => {
      queueMicrotask(stage.interrupt);
      return neverEnds;
    });
    expect(await stage.prompt("go")).toBeInstanceOf(Error);
    expect(stage.results()).toEqual([{ text: "kept", isError: false }]);
  });
});

describe("UserPromptSubmit", () => {
  test("sees the prompt, and changes nothing", async () => {
    const stage = await stageFor([say("ok")]);
    const seen: string[] = [];
    stage.agent.hooks.registerHook("UserPromptSubmit", (prompt) => (seen.push(prompt), "other words"));
    await stage.prompt("exactly these words");
    expect(seen).toEqual(["exactly these words"]);
    expect(stage.request(1).messages).toEqual([{ role: "user", content: "exactly these words" }]);
  });
});

describe("Stop", () => {
  test("belongs to the turn it ends: what stands around the turn is not called again", async () => {
    const stage = await stageFor([say("done?"), say("now it is")]);
    let turns = 0;
    wrap(stage.agent, "turn", "counted", (messages, next) => (turns++, next(messages)));
    const answers = ["go on", undefined];
    stage.agent.hooks.registerHook("Stop", () => answers.shift());
    await stage.prompt("go");
    expect(turns).toBe(1);
  });

  test("an answer is sent to the model and the turn goes on", async () => {
    const stage = await stageFor([say("done?"), say("now it is")]);
    const answers = ["you forgot the tests", undefined];
    stage.agent.hooks.registerHook("Stop", () => answers.shift());
    await stage.prompt("go");
    expect(stage.request(2).messages.at(-1)).toEqual({ role: "user", content: "you forgot the tests" });
    expect(stage.output.text).toBe("done?\nnow it is\n");
    expect(stage.output.notes).toContain("[HOOK] Stop: the model is sent on: you forgot the tests");
  });

  test("a hook that is never content sends the model on five times in a turn, whatever that does in between", async () => {
    const busy = [call("bash", { command: "true" }), say("done")];
    const stage = await stageFor(Array.from({ length: 6 }, () => busy).flat());
    let heard = 0;
    stage.agent.hooks.registerHook("Stop", () => (heard++, "again"));
    expect(await stage.prompt("go")).toBeUndefined();
    expect(stage.messages.filter(({ content }) => content === "again")).toHaveLength(5);
    expect(heard).toBe(6);
    expect(stage.output.notes).toContain("[HOOK] Stop: given up, though: again");
  });

  test("each turn is sent on anew, and each prompt is told as it is", async () => {
    const stage = await stageFor(Array.from({ length: 12 }, () => say("done")));
    const prompts: string[] = [];
    stage.agent.hooks.registerHook("UserPromptSubmit", (prompt) => void prompts.push(prompt));
    stage.agent.hooks.registerHook("Stop", () => "again");
    await stage.prompt("first");
    await stage.prompt("second");
    expect(stage.messages.filter(({ content }) => content === "again")).toHaveLength(10);
    expect(prompts).toEqual(["first", "second"]);
  });

  test.each([
    ["nothing", undefined],
    ["null", null],
    ["an empty text", ""],
    ["white space", " \n"],
  ])("%s lets the turn end", async (_what, answer) => {
    const stage = await stageFor([say("done")]);
    stage.agent.hooks.registerHook("Stop", () => answer);
    expect(await stage.prompt("go")).toBeUndefined();
    expect(stage.messages).toHaveLength(2);
  });

  test("is not asked when the turn was interrupted", async () => {
    const waiting = stall(say("late"));
    const stage = await stageFor([waiting]);
    const hook = vi.fn<() => string>(() => "go on");
    stage.agent.hooks.registerHook("Stop", hook);
    const turn = stage.prompt("go");
    await waiting.reached;
    stage.interrupt();
    await turn;
    expect(hook).not.toHaveBeenCalled();
  });
});

describe("the hooks that come with it", () => {
  test("name the folder, each call, and the number of calls", async () => {
    const stage = await stageFor([reply(bash("true"), { name: "glob", input: { pattern: "*" } }), say("ok")]);
    await stage.prompt("go");
    expect(stage.output.notes).toBe(
      [
        `[HOOK] UserPromptSubmit: working in ${stage.workspace}`,
        "[HOOK] PreToolUse: bash",
        "[HOOK] PreToolUse: glob",
        "[HOOK] Stop: 2 tool calls in this conversation so far\n",
      ].join("\n"),
    );
  });

  test.each([
    [100_000, false],
    [100_001, true],
  ])("a result of %i characters is large: %s", async (size, large) => {
    const files = { "big.txt": "x".repeat(size) };
    const stage = await stageFor([call("read_file", { path: "big.txt" }), say("ok")], { files });
    await stage.prompt("go");
    expect(stage.output.notes.includes("large output from read_file")).toBe(large);
  });
});
