import type { ContentBlock, Message, MessageParam, ToolUseBlock } from "@anthropic-ai/sdk/resources/messages";
import { describe, expect, test } from "vitest";
import { appendReply, joinSections, settle, textOf, toolResult } from "./conversation.ts";
import { message } from "./test-kit.ts";

const text = (words: string): ContentBlock => ({ type: "text", text: words, citations: null });
/** A block without the fields that need not go back. */
const bare = (block: ContentBlock) => (block.type === "text" ? { type: block.type, text: block.text } : block);
const thinking = (signature = "s"): ContentBlock => ({ type: "thinking", thinking: "hm", signature });
const use = (id: string): ToolUseBlock => ({
  type: "tool_use",
  id,
  name: "bash",
  input: {},
  caller: { type: "direct" },
});
const result = (id: string) => toolResult(use(id), "ok");

function kept(stop_reason: Message["stop_reason"], ...content: ContentBlock[]) {
  const messages: MessageParam[] = [];
  const calls = appendReply(messages, message(content, stop_reason));
  return { calls: calls.map(({ id }) => id), messages };
}

describe("appendReply", () => {
  test.each<[string, ReturnType<typeof kept>, string[], ContentBlock[] | undefined]>([
    ["a reply as it is", kept("tool_use", text("a"), use("1"), use("2")), ["1", "2"], [text("a"), use("1"), use("2")]],
    ["calls last", kept("tool_use", use("1"), text("a"), use("2")), ["1", "2"], [text("a"), use("1"), use("2")]],
    ["no blank text", kept("tool_use", text(" \n"), use("1")), ["1"], [use("1")]],
    ["calls of an endpoint that calls them an end", kept("end_turn", use("1")), ["1"], [use("1")]],
    ["thoughts before calls", kept("tool_use", thinking(), use("1")), ["1"], [thinking(), use("1")]],
    [
      "thoughts between calls, and no thought at the end",
      kept("tool_use", thinking("1"), use("1"), thinking("2"), use("2"), thinking("3")),
      ["1", "2"],
      [thinking("1"), use("1"), thinking("2"), use("2")],
    ],
    [
      "no thought with half a character",
      kept("tool_use", { type: "thinking", thinking: "hm \ud83d", signature: "s" }, use("1")),
      ["1"],
      [use("1")],
    ],
    ["no call that was cut off", kept("max_tokens", text("a"), use("1")), [], [text("a")]],
    ["no call of a refusal", kept("refusal", text("a"), use("1")), [], [text("a")]],
    ["no call when the context was full", kept("model_context_window_exceeded", use("1")), [], undefined],
    ["no thoughts alone", kept("max_tokens", thinking(), use("1")), [], undefined],
    ["no thought that was cut off", kept("max_tokens", text("a"), thinking("")), [], [text("a")]],
    [
      "no hidden thought without its data",
      kept("end_turn", { type: "redacted_thinking", data: "" }, text("a")),
      [],
      [text("a")],
    ],
    ["nothing of an empty reply", kept("end_turn"), [], undefined],
    ["nothing of a blank reply", kept("end_turn", text("")), [], undefined],
  ])("keeps %s", (_what, { calls, messages }, rightCalls, rightContent) => {
    expect(calls).toEqual(rightCalls);
    expect(messages).toMatchObject(rightContent ? [{ role: "assistant", content: rightContent.map(bare) }] : []);
  });
});

test.each(["", "  ", "bash\n⚠ deletes files", "x".repeat(201)])("a call of %j is one of an unknown tool", (name) => {
  const calls = appendReply([], message([{ ...use("1"), name }]));
  expect(calls).toMatchObject([{ name: "unknown" }]);
});

describe("settle", () => {
  const asked: MessageParam = { role: "assistant", content: [text("a"), use("1"), use("2")] };
  const open = { type: "tool_result", content: "why", is_error: true };
  const settled = (...messages: MessageParam[]) => {
    settle(messages, "why");
    return messages.at(-1)?.content;
  };

  test("answers the calls that nobody answered", () => {
    expect(settled(asked)).toEqual([
      { ...open, tool_use_id: "1" },
      { ...open, tool_use_id: "2" },
    ]);
  });
  test("keeps the answers there are, before text that comes after them", () => {
    const note = { type: "text" as const, text: "note" };
    expect(settled(asked, { role: "user", content: [result("1"), note] })).toEqual([
      result("1"),
      { ...open, tool_use_id: "2" },
      note,
    ]);
  });
  test.each<[string, MessageParam[]]>([
    ["an empty conversation", []],
    ["a prompt", [{ role: "user", content: "hi" }]],
    [
      "an answer",
      [
        { role: "user", content: "hi" },
        { role: "assistant", content: "hello" },
      ],
    ],
    ["calls that are answered", [asked, { role: "user", content: [result("1"), result("2")] }]],
  ])("leaves %s alone", (_what, messages) => {
    const before = structuredClone(messages);
    settle(messages, "why");
    expect(messages).toEqual(before);
  });
});

test.each([
  ["", "(no output)"],
  [" \n", "(no output)"],
  ["a\ud83d", "a\ufffd"],
])("toolResult makes %j %j", (given, right) => expect(toolResult(use("1"), given).content).toBe(right));

test.each([
  [[], "(no output)"],
  [[{ type: "text" as const, text: " " }], "(no output)"],
  [
    [
      { type: "text" as const, text: "" },
      { type: "text" as const, text: "a\ud83d" },
    ],
    [{ type: "text", text: "a\ufffd" }],
  ],
])("toolResult makes blocks %j %j", (given, right) =>
  expect(toolResult(use("1"), { content: given }).content).toEqual(right),
);

test("textOf gives the words of a message", () => {
  expect(textOf({ role: "user", content: "hi" })).toBe("hi");
  expect(textOf({ role: "user", content: [result("1"), { type: "text", text: "note" }] })).toBe("note");
  expect(textOf(undefined)).toBe("");
});

test("joinSections leaves out what has nothing to say, and reads each section anew", async () => {
  let count = 0;
  const prompt = { one: () => `first ${++count}`, empty: () => "", two: async () => "second" };
  expect(await joinSections(prompt)).toBe("first 1\n\nsecond");
  expect(await joinSections(prompt)).toBe("first 2\n\nsecond");
});
