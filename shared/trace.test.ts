import { expect, test } from "vitest";
import { createAgent } from "../chapters/s02/code.ts";
import { call, message, say, stageAgent } from "./test-kit.ts";
import { traceEvents } from "./trace.ts";

type Body = Parameters<ReturnType<typeof traceEvents>>[0] & { type: "request" };

/** A trace, and what it has written since one looked last. */
function tracing() {
  const lines: string[] = [];
  const trace = traceEvents((line) => void lines.push(line));
  const request = (body: Partial<Body["body"]>, from: { who?: string; side?: string } = {}) =>
    trace({ type: "request", body: { model: "m", max_tokens: 1, messages: [], ...body }, ...from });
  return { trace, request, written: () => lines.splice(0).map((line): unknown => JSON.parse(line)) };
}
const user = (content: string) => ({ role: "user" as const, content });
const text = (words: string) => ({ type: "text" as const, text: words });

test("of a turn each message is told once, as it goes: the conversation grows meanwhile", async () => {
  const { trace, written } = tracing();
  const stage = await stageAgent(createAgent, { script: [call("bash", { command: "echo hi" }), say("ok")] });
  const { emit } = stage.options;
  stage.options.emit = (event) => {
    emit(event);
    trace(event);
  };
  await stage.prompt("go");
  expect(written()).toMatchObject([
    { request: 1, model: "claude-sonnet-5", tools: expect.arrayContaining(["bash", "glob"]), messages: 1, new: 1 },
    { system: expect.stringContaining(stage.workspace) },
    { role: "user", content: "go" },
    { reply: "tool_use", content: [{ name: "bash" }], usage: {} },
    { request: 2, messages: 3, new: 2 },
    { role: "assistant", content: [{ type: "tool_use" }] },
    { role: "user", content: [{ type: "tool_result", content: "hi" }] },
    { reply: "end_turn" },
  ]);
});

test("a mark for the cache that moved makes nothing new", () => {
  const { request, written } = tracing();
  const marked = { ...text("one"), cache_control: { type: "ephemeral" as const } };
  request({ system: [marked], messages: [{ role: "user", content: [marked] }] });
  written();
  request({ system: [text("one")], messages: [{ role: "user", content: [text("one")] }, user("two")] });
  expect(written()).toEqual([{ request: 2, model: "m", tools: [], messages: 2, new: 1 }, user("two")]);
});

test("the system prompt is told when it changes, and a conversation that was changed from there on", () => {
  const { request, written } = tracing();
  request({ system: "a", messages: [user("one"), user("two"), user("three")] });
  written();
  request({ system: "b", messages: [user("one"), user("other")] });
  expect(written()).toMatchObject([{ messages: 2, new: 1 }, { system: "b" }, user("other")]);
  request({ system: "b", messages: [user("one")] });
  expect(written()).toMatchObject([{ messages: 1, new: 0 }]);
});

test("several agents, and what one of them asks beside its conversation, are compared each with itself", () => {
  const { trace, request, written } = tracing();
  const all = [{}, { who: "scout" }, { side: "summary" }, { who: "scout", side: "summary" }];
  for (const from of all) request({ messages: [user("one")] }, from);
  expect(written().filter((line) => JSON.stringify(line).includes('"one"'))).toHaveLength(4);
  for (const from of all) request({ messages: [user("one")] }, from);
  expect(written()).toMatchObject(all.map((from, i) => Object.assign({ request: 5 + i, new: 0 }, from)));
  trace({ type: "reply", who: "scout", side: "summary", message: message([]) });
  expect(written()).toMatchObject([{ reply: "end_turn", who: "scout", side: "summary" }]);
});
