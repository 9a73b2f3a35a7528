import { expect, test } from "vitest";
import { createAgent } from "../chapters/s02/code.ts";
import { showEvents } from "../shared/show.ts";
import { call, cutOff, stageAgent, reply, say, type Step } from "../shared/test-kit.ts";

/** What the terminal shows of a turn of s02's agent with this script. */
async function shown(files: Record<string, string>, ...script: Step[]) {
  const stage = await stageAgent(createAgent, { script, files });
  await stage.prompt("go");
  const output = { text: "", printed: "", notes: "" };
  const show = showEvents({
    text: (text) => void (output.text += text),
    discard: () => {},
    print: (text) => void (output.printed += `${text}\n`),
    note: (text) => void (output.notes += `${text}\n`),
  });
  for (const event of stage.events) show(event);
  return output;
}

test("each call is a line, its result is below", async () => {
  const { printed } = await shown({}, reply({ name: "bash", input: { command: "echo one\necho two" } }), say("ok"));
  expect(printed).toBe("● bash echo one ⏎ echo two\n  └ one\n    two\n");
});

test("a long call and a long result are shortened, and no character is cut in two", async () => {
  const { printed } = await shown({}, call("bash", { command: `echo ${"😀".repeat(200)}; seq 100` }), say("ok"));
  const [line = "", ...rest] = printed.trimEnd().split("\n");
  expect(line).toMatch(/^● bash echo 😀+…$/u);
  expect(line.length).toBeLessThanOrEqual(100);
  expect(rest.map((text) => text.slice(4, 9).trim())).toEqual([expect.stringMatching(/😀/u), "1", "2", "3", "… 97"]);
  expect(printed.isWellFormed()).toBe(true);
});

test("blanks without end are one", async () => {
  const command = `true ${" ".repeat(400_000)} x`; // a pattern that goes back for each of them would take minutes
  expect((await shown({}, call("bash", { command }), say("ok"))).printed).toMatch(/^● bash true x\n/);
});

test("what is left out of a result is counted in lines, and the end of the last is none", async () => {
  const { printed } = await shown({ "a.txt": "1\n2\n3\n4\n5\n6\n" }, call("read_file", { path: "a.txt" }), say("ok"));
  expect(printed).toBe("● read_file a.txt\n  └ 1\n    2\n    3\n    4\n    … 2 more lines\n");
});

test("a reply that was cut off looks like any other: it is said", async () => {
  expect(await shown({}, cutOff(say("half of")))).toMatchObject({
    text: "half of\n",
    notes: "[the reply was cut off: it reached max_tokens]\n",
  });
});
