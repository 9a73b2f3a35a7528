import type { MessageParam } from "@anthropic-ai/sdk/resources/messages";
import { call, stageAgent, reply, say, toolUse, type Step } from "shared/test-kit";
import { describe, expect, test } from "vitest";
import { createAgent, roundsWithoutTodos, showTodos } from "./code.ts";

const REMINDER = "<reminder>Update your todos.</reminder>";
const step = () => call("bash", { command: "true" });
const write = (...todos: unknown[]) => call("todo_write", { todos });

async function play(...script: Step[]) {
  const stage = await stageAgent(createAgent, { script: [...script, say("ok")] });
  expect(await stage.prompt("go")).toBeUndefined();
  return stage;
}

describe("roundsWithoutTodos", () => {
  const use = (name: string): MessageParam => ({
    role: "assistant",
    content: [{ type: "tool_use", id: "1", name, input: {} }],
  });
  const both: MessageParam = { role: "assistant", content: [toolUse("todo_write"), toolUse("bash", {}, "2")] };
  const otherWay: MessageParam = { role: "assistant", content: [toolUse("bash"), toolUse("todo_write", {}, "2")] };
  const answer = { type: "tool_result" as const, tool_use_id: "1", content: "" };
  const result: MessageParam = { role: "user", content: [answer] };
  const prompt: MessageParam = { role: "user", content: "go" };
  test.each<[number, string, MessageParam[]]>([
    [0, "nothing", []],
    [0, "a prompt", [prompt]],
    [2, "two rounds", [prompt, use("bash"), result, use("glob"), result]],
    [1, "a round after todo_write", [prompt, use("bash"), result, use("todo_write"), result, use("bash"), result]],
    [1, "a round after a prompt", [prompt, use("bash"), result, prompt, use("bash"), result]],
    [
      1,
      "a prompt of several blocks",
      [use("bash"), { role: "user", content: [{ type: "text", text: "go" }] }, use("bash"), result],
    ],
    [
      1,
      "a round with other text after its results",
      [use("bash"), { role: "user", content: [answer, { type: "text", text: "note" }] }],
    ],
    [
      1,
      "a result that quotes the reminder",
      [use("bash"), { role: "user", content: [{ ...answer, content: REMINDER }] }],
    ],
    [0, "a reply with todo_write before other calls", [prompt, both, result]],
    [0, "a reply with todo_write behind other calls", [prompt, otherWay, result]],
    [0, "an answer without calls", [prompt, { role: "assistant", content: "done" }]],
  ])("%i after %s", (rounds, _what, messages) => {
    expect(roundsWithoutTodos(messages)).toBe(rounds);
  });
});

describe("todo_write", () => {
  test("replaces the list, shows it and says how many there are", async () => {
    const first = [
      { content: "buy flour", status: "completed" },
      { content: "knead dough", status: "in_progress" },
      { content: "bake bread", status: "pending" },
    ];
    const stage = await play(write(...first), write({ content: "eat it", status: "pending" }));
    expect(stage.results()).toEqual([
      { text: "Updated 3 tasks", isError: false },
      { text: "Updated 1 tasks", isError: false },
    ]);
    expect(stage.output.printed).toBe(
      "Todos (1/3)\n  [✓] buy flour\n  [▸] knead dough\n  [ ] bake bread\nTodos (0/1)\n  [ ] eat it\n",
    );
    expect(stage.agent.todos).toEqual([{ content: "eat it", status: "pending" }]);
  });

  test.each([
    ["JSON text", { todos: '[{"content":"one","status":"pending"}]' }],
    ["a status in capitals", { todos: [{ content: "one", status: " PENDING " }] }],
    ["no status", { todos: [{ content: "one" }] }],
    ["space around the text", { todos: [{ content: "  one\n", status: "pending" }] }],
  ])("takes %s for what it means", async (_what, input) => {
    const stage = await play(call("todo_write", input));
    expect(stage.results()).toEqual([{ text: "Updated 1 tasks", isError: false }]);
    expect(stage.agent.todos).toEqual([{ content: "one", status: "pending" }]);
  });

  test.each([
    ["text that is no JSON", { todos: "not json" }, "todos"],
    ["one item that is no list", { todos: { content: "a", status: "pending" } }, "todos"],
    ["an unknown status", { todos: [{ content: "a", status: "someday" }] }, "pending"],
    ["an item without a text", { todos: [{ status: "pending" }] }, "content"],
    ["an empty text", { todos: [{ content: " ", status: "pending" }] }, "content"],
    ["a list of numbers", { todos: "[1, 2]" }, "todos"],
    ["nothing at all", {}, "todos"],
    ["two at once", { todos: ["a", "b"].map((content) => ({ content, status: "in_progress" })) }, "in_progress"],
  ])("refuses %s, says why, and keeps the list", async (_what, input, word) => {
    const stage = await play(write({ content: "kept" }), call("todo_write", input));
    expect(stage.results()[1]).toEqual({
      text: expect.stringMatching(new RegExp(`^Error: [^]*${word}`)),
      isError: true,
    });
    expect(stage.agent.todos).toEqual([{ content: "kept", status: "pending" }]);
  });

  test("an empty list is one", async () => {
    const stage = await play(write({ content: "a" }), write());
    expect(stage.results()[1]?.text).toBe("Updated 0 tasks");
    expect(showTodos(stage.agent.todos)).toBe("Todos (0/0)\n  none");
  });

  test("the model reads in its schema what a todo is", async () => {
    const stage = await play();
    const tool = stage.request(1).tools?.find((one) => "name" in one && one.name === "todo_write");
    expect(tool).toMatchObject({
      input_schema: {
        required: ["todos"],
        properties: {
          todos: {
            type: "array",
            items: { required: ["content"], properties: { status: { enum: ["pending", "in_progress", "completed"] } } },
          },
        },
      },
    });
  });

  test("two agents have two lists", async () => {
    const [one, other] = [await play(write({ content: "mine" })), await play()];
    expect(one.agent.todos).toHaveLength(1);
    expect(other.agent.todos).toEqual([]);
  });
});

test("the prompt advises to plan, and still names the workspace", async () => {
  const stage = await play();
  expect(await stage.agent.prompt.planning?.()).toContain("todo_write");
  expect(stage.request(1).system).toContain("todo_write");
  expect(stage.request(1).system).toContain(stage.workspace);
});

describe("the reminder", () => {
  /** In which requests it is in the last message. */
  const reminded = (stage: { request(n: number): { messages: MessageParam[] } }, requests: number) =>
    Array.from({ length: requests }, (_, i) => JSON.stringify(stage.request(i + 1).messages.at(-1)).includes(REMINDER));

  test("comes with the fourth request, and again after three more rounds", async () => {
    const stage = await play(...Array.from({ length: 7 }, step));
    expect(reminded(stage, 8)).toEqual([false, false, false, true, false, false, true, false]);
  });

  test("does not come while the list is kept, and waits three rounds after it was", async () => {
    const stage = await play(step(), step(), write({ content: "a" }), step(), step(), write({ content: "a" }), step());
    expect(reminded(stage, 8)).not.toContain(true);
  });

  test("counts rounds, not calls", async () => {
    const bash = { name: "bash", input: { command: "true" } };
    const stage = await play(reply(bash, bash, bash), reply(bash, bash));
    expect(reminded(stage, 3)).not.toContain(true);
  });

  test("is due by what the conversation says, not by what the agent has seen: as when it goes on after a restart", async () => {
    const stage = await stageAgent(createAgent, { script: [say("ok")] });
    const round = (id: string): MessageParam[] => [
      { role: "assistant", content: [toolUse("bash", { command: "true" }, id)] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: "ok" }] },
    ];
    const messages: MessageParam[] = [{ role: "user", content: "go" }, ...["1", "2", "3"].flatMap(round)];
    await stage.agent.model({ messages });
    expect(reminded(stage, 1)).toEqual([true]);
  });

  test("stands behind the results, in the same message, and stays in the conversation", async () => {
    const stage = await play(step(), step(), step(), step());
    const message = stage.request(4).messages.at(-1);
    expect(message).toMatchObject({
      role: "user",
      content: [{ type: "tool_result" }, { type: "text", text: REMINDER }],
    });
    expect(stage.request(5).messages.at(-3)).toEqual(message); // what was sent once stays, or the prompt cache is lost
    const roles = stage.messages.map(({ role }) => role);
    expect(roles.every((role, i) => role !== roles[i + 1])).toBe(true);
  });

  test("a new prompt starts from nothing", async () => {
    const stage = await stageAgent(createAgent, { script: [step(), step(), say("one"), step(), step(), say("two")] });
    await stage.prompt("first");
    await stage.prompt("second");
    expect(reminded(stage, 6)).not.toContain(true);
  });
});
