import { toolResult } from "shared/conversation";
import { message, toolUse } from "shared/test-kit";
import { describe, expect, test } from "vitest";
import { callThrough, unwrap, wrap, type Layers } from "./layers.ts";

/** An agent whose `tool` tells which layers a call went through, the function itself last. */
function layered() {
  const way: string[] = [];
  const layers: Layers = {
    model: [{ name: "send", run: async () => message([]) }],
    tool: [{ name: "dispatch", run: async (call) => (way.push("dispatch"), toolResult(call, "ok")) }],
    turn: [{ name: "loop", run: async () => {} }],
  };
  const agent = { layers };
  const around = (name: string, outside?: string) =>
    wrap(agent, "tool", name, (call, next) => (way.push(name), next(call)), outside);
  const ways = async () => {
    way.length = 0;
    await callThrough(layers.tool, toolUse("bash"));
    return way.join(" ▸ ");
  };
  return { agent, around, ways };
}

describe("a layer", () => {
  test("stands around all that are there: the last one is called first", async () => {
    const { around, ways } = layered();
    around("gate");
    around("log");
    expect(await ways()).toBe("log ▸ gate ▸ dispatch");
  });

  test("stands right around the layer that it names, inside all others", async () => {
    const { around, ways } = layered();
    around("gate");
    around("log");
    around("worktree", "dispatch");
    around("count", "gate");
    expect(await ways()).toBe("log ▸ count ▸ gate ▸ worktree ▸ dispatch");
  });

  test("that comes in the middle of a call counts from the next call on, wherever it stands", async () => {
    const { agent, around, ways } = layered();
    wrap(agent, "tool", "adds two", async (call, next) => {
      if (agent.layers.tool.length === 2) {
        around("outside");
        around("inside", "dispatch");
      }
      return next(call);
    });
    expect(await ways()).toBe("dispatch");
    expect(await ways()).toBe("outside ▸ inside ▸ dispatch");
  });

  test("may answer without what is inside, or ask it twice", async () => {
    const { agent, ways } = layered();
    wrap(agent, "tool", "twice", async (call, next) => (await next(call), next(call)));
    expect(await ways()).toBe("dispatch ▸ dispatch");
    wrap(agent, "tool", "never", async (call) => toolResult(call, "no"));
    expect(await ways()).toBe("");
  });

  test("can be taken off; the others stay", async () => {
    const { agent, around, ways } = layered();
    around("gate");
    around("log");
    unwrap(agent, "tool", "gate");
    expect(await ways()).toBe("log ▸ dispatch");
  });

  test("that is not there can neither be stood around nor be taken off: the error names those there are", () => {
    const { agent, around } = layered();
    expect(() => around("log", "gate")).toThrow("no layer gate around tool; there are dispatch");
    expect(() => unwrap(agent, "turn", "gate")).toThrow("no layer gate around turn; there are loop");
    expect(agent.layers.tool).toHaveLength(1);
  });
});
