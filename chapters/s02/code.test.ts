import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { call, stageAgent, reply, say, stall, toolUse } from "shared/test-kit";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createAgent, defineTool, dispatch, wrap } from "./code.ts";
import { occurrences } from "./edits.ts";
import { findFiles } from "./find-files.ts";
import { textFiles } from "./text.ts";

type Call = [name: string, input: unknown];

/** Lets the model make these calls in one reply, and gives their results. */
async function play(
  calls: Call[],
  files: Record<string, string | Buffer> = {},
  prepare: (place: string) => unknown = () => {},
) {
  const stage = await stageAgent(createAgent, {
    files,
    script: [reply(...calls.map(([name, input]) => ({ name, input }))), say("ok")],
  });
  prepare(stage.place);
  expect(await stage.prompt("go")).toBeUndefined();
  return { stage, results: stage.results() };
}
describe("dispatch", () => {
  const { signal } = new AbortController();
  const echo = defineTool("echo", "Say it again.", z.object({ text: z.string() }), async ({ text }) => text);
  const broken = defineTool("broken", "Never works.", z.object({}), async () => {
    throw new Error("out of order");
  });
  const tools = new Map([echo, broken].map((tool) => [tool.definition.name, tool]));

  test("runs the tool that is called and answers with what it gives", async () => {
    const result = await dispatch(tools, toolUse("echo", { text: "hello" }), signal);
    expect(result).toEqual({ type: "tool_result", tool_use_id: "toolu_1", content: "hello" });
  });

  test.each([
    ["a tool that is not there, with the names of those that are", "ehco", {}, /^Error: .*ehco.*echo, broken/],
    ["wrong arguments, with what is wrong", "echo", { text: 5 }, /^Error: [^]*text/],
    ["no arguments", "echo", null, /^Error: /],
    ["an error of the tool", "broken", {}, /^Error: out of order$/],
  ])("answers %s", async (_what, name, input, right) => {
    const result = await dispatch(tools, toolUse(name, input), signal);
    expect(result).toMatchObject({ tool_use_id: "toolu_1", content: expect.stringMatching(right), is_error: true });
  });

  test("what a tool ignores does no harm", async () => {
    const result = await dispatch(tools, toolUse("echo", { text: "hello", run_in_background: true }), signal);
    expect(result).toMatchObject({ content: "hello" });
  });

  test("an error ends neither the turn nor the calls beside it", async () => {
    const calls: Call[] = [
      ["teleport", { where: "home" }],
      ["write_file", { path: "a.txt" }],
      ["bash", { command: "echo still here" }],
    ];
    const { results, stage } = await play(calls);
    expect(results.map(({ isError }) => isError)).toEqual([true, true, false]);
    expect(results[2]?.text).toBe("still here");
    expect(stage.output.text).toBe("ok\n");
  });

  test("Ctrl-C in a tool that waits is no failure of the tool: it ends the turn", async () => {
    const abort = new AbortController();
    const waiting = defineTool("wait", "Waits.", z.object({}), () => {
      abort.abort(new Error("stopped"));
      return Promise.reject(new Error("the tool saw it, too"));
    });
    const waited = dispatch(new Map([["wait", waiting]]), toolUse("wait"), abort.signal);
    await expect(waited).rejects.toThrow("stopped");
  });

  test("after Ctrl-C nothing new starts", async () => {
    const waiting = stall(reply({ name: "write_file", input: { path: "never.txt", content: "x" } }));
    const stage = await stageAgent(createAgent, { script: [waiting] });
    const { tool } = stage.agent;
    stage.agent.tool = (one) => {
      stage.interrupt();
      return tool(one);
    };
    waiting.release();
    expect(await stage.prompt("go")).toBeInstanceOf(Error);
    expect(stage.exists("never.txt")).toBe(false);
    expect(stage.results()).toMatchObject([{ isError: true }]);
  });
});

describe("the registry", () => {
  test("offers every tool with its schema", async () => {
    const stage = await stageAgent(createAgent, { script: [say("hi")] });
    await stage.prompt("hello");
    const tools = stage.request(1).tools ?? [];
    const required = tools.map((tool) => "input_schema" in tool && [tool.name, tool.input_schema.required]);
    expect(required).toEqual([
      ["bash", ["command"]],
      ["read_file", ["path"]],
      ["write_file", ["path", "content"]],
      ["edit_file", ["path", "old_text", "new_text"]],
      ["glob", ["pattern"]],
    ]);
  });

  test("a tool that is added is offered and run, without another line", async () => {
    const stage = await stageAgent(createAgent, { script: [call("shout", { text: "hi" }), say("ok")] });
    const shout = defineTool("shout", "Say it loud.", z.object({ text: z.string() }), async ({ text }) =>
      text.toUpperCase(),
    );
    stage.agent.tools.set("shout", shout);
    await stage.prompt("go");
    expect(stage.request(1).tools?.at(-1)).toMatchObject({ name: "shout", description: "Say it loud." });
    expect(stage.results()).toEqual([{ text: "HI", isError: false }]);
  });

  test("a tool knows its call, and may answer with an image", async () => {
    const data = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    const stage = await stageAgent(createAgent, { script: [call("photo", {}, "toolu_here"), say("ok")] });
    const ids: string[] = [];
    const photo = defineTool("photo", "Take a picture.", z.object({}), async (_input, { id }) => {
      ids.push(id);
      return { content: [{ type: "image", source: { type: "base64", media_type: "image/png", data } }] };
    });
    stage.agent.tools.set("photo", photo);
    expect(await stage.prompt("go")).toBeUndefined();
    expect(ids).toEqual(["toolu_here"]);
    expect(stage.request(2).messages.at(-1)?.content).toMatchObject([{ content: [{ type: "image" }] }]);
  });

  test("a tool that does not hear of Ctrl-C is left to itself; one that does may say what there is", async () => {
    const { agent } = await stageAgent(createAgent);
    /** What comes of a call of a tool that never ends by itself, when the turn is interrupted while it runs. */
    const interrupted = async (run: (signal: AbortSignal) => Promise<string>) => {
      const stop = new AbortController();
      const tool = defineTool("hang", "Never ends.", z.object({}), (_input, { signal }) => {
        queueMicrotask(() => stop.abort(new Error("stopped")));
        return run(signal);
      });
      agent.tools.set("hang", tool);
      return dispatch(agent.tools, toolUse("hang"), stop.signal).then(({ content }) => content, String);
    };
    const deaf = () => new Promise<never>(() => {});
    const hearing = (signal: AbortSignal) =>
      new Promise<string>((resolve) => signal.addEventListener("abort", () => resolve("half of it")));
    expect(await interrupted(deaf)).toBe("Error: stopped");
    expect(await interrupted(hearing)).toBe("half of it");
  });

  test("a layer around a function is called by the loop, also one that comes in the middle of a turn", async () => {
    const stage = await stageAgent(createAgent, { script: [call("late"), say("hi")] });
    const late = defineTool("late", "Adds a layer.", z.object({}), async () => {
      wrap(stage.agent, "model", "ask shortly", (request, next) => next({ ...request, max_tokens: 77 }));
      return "added";
    });
    stage.agent.tools.set("late", late);
    await stage.prompt("go");
    expect([stage.request(1).max_tokens, stage.request(2).max_tokens]).toEqual([8000, 77]);
  });
});

describe("the file tools stay in the workspace", () => {
  test("no way leads out: .., absolute paths, links, links to nothing, a sibling with the same beginning", async () => {
    const outside: Call[] = [
      ["read_file", { path: "../workspace-old/secret.txt" }],
      ["read_file", { path: "link/secret.txt" }],
      ["read_file", { path: "file-link" }],
      ["read_file", { path: "/etc/hostname" }],
      ["write_file", { path: "~/note.txt", content: "x" }],
      ["write_file", { path: "link/new/note.txt", content: "x" }],
      ["write_file", { path: "dangling", content: "x" }],
      ["write_file", { path: "../workspace-old/note.txt", content: "x" }],
      ["edit_file", { path: "link/secret.txt", old_text: "TOP", new_text: "NO" }],
    ];
    const { stage, results } = await play(outside, {}, (place) => {
      const old = join(place, "workspace-old");
      mkdirSync(old);
      writeFileSync(join(old, "secret.txt"), "TOP SECRET");
      symlinkSync(old, join(place, "workspace/link"));
      symlinkSync(join(old, "secret.txt"), join(place, "workspace/file-link"));
      symlinkSync(join(old, "not-yet.txt"), join(place, "workspace/dangling"));
    });
    expect(results.map(({ text }) => text)).toEqual(
      outside.map(() => expect.stringMatching(/^Error: .* is outside the workspace$/)),
    );
    expect(readdirSync(join(stage.place, "workspace-old"))).toEqual(["secret.txt"]);
    expect(readFileSync(join(stage.place, "workspace-old/secret.txt"), "utf8")).toBe("TOP SECRET");
  });

  test("ways that lead back in are fine, also through a link to the workspace itself", async () => {
    const calls: Call[] = [
      ["write_file", { path: "sub/../in.txt", content: "1" }],
      ["read_file", { path: "../alias/in.txt" }],
      ["write_file", { path: "..data/x.txt", content: "2" }],
    ];
    const { results } = await play(calls, {}, (place) => symlinkSync(join(place, "workspace"), join(place, "alias")));
    expect(results.map(({ isError }) => isError)).toEqual([false, false, false]);
  });

  test("a workspace that is itself reached through a link", async () => {
    const stage = await stageAgent(
      (options) => {
        symlinkSync(options.workspace, `${options.workspace}-alias`);
        return createAgent({ ...options, workspace: `${options.workspace}-alias` });
      },
      {
        files: { "a.txt": "fine" },
        script: [
          reply({ name: "read_file", input: { path: "a.txt" } }, { name: "glob", input: { pattern: "*" } }),
          say("ok"),
        ],
      },
    );
    await stage.prompt("go");
    expect(stage.results().map(({ text }) => text)).toEqual(["fine", "a.txt"]);
  });

  test("links that go round in a circle are an error, and stay", async () => {
    const calls: Call[] = [
      ["read_file", { path: "a" }],
      ["write_file", { path: "a", content: "x" }],
      ["edit_file", { path: "a", old_text: "a", new_text: "x" }],
    ];
    const { stage, results } = await play(calls, {}, (place) => {
      symlinkSync("b", join(place, "workspace/a"));
      symlinkSync("a", join(place, "workspace/b"));
    });
    expect(results).toEqual(calls.map(() => ({ text: expect.stringMatching(/^Error: ELOOP/), isError: true })));
    expect(readlinkSync(stage.path("a"))).toBe("b");
  });
});

describe("read_file", () => {
  const lines = "one\ntwo\nthree\nfour";
  test.each([
    ["all of it, as it is", { path: "l.txt" }, lines],
    ["the first lines", { path: "l.txt", limit: 2 }, "one\ntwo"],
    ["lines further down", { path: "l.txt", offset: 1, limit: 2 }, "two\nthree"],
    ["the rest", { path: "l.txt", offset: 2 }, "three\nfour"],
    [
      "that there is nothing behind the end",
      { path: "l.txt", offset: 9, limit: 1 },
      "(past the end: l.txt has 4 lines)",
    ],
    ["that a file is empty", { path: "empty.txt" }, "(empty file)"],
    ["Windows line ends and a byte order mark", { path: "dos.txt" }, "\ufeffa\r\nb\r\n"],
  ])("gives %s", async (_what, input, right) => {
    const { results } = await play([["read_file", input]], {
      "l.txt": lines,
      "empty.txt": "",
      "dos.txt": "\ufeffa\r\nb\r\n",
    });
    expect(results).toEqual([{ text: right, isError: false }]);
  });

  test.each([
    ["a folder", "folder", /folder is a folder/],
    ["a missing file", "missing.txt", /missing.txt does not exist/],
    ["a path through a file", "l.txt/x", /does not exist/],
    ["a picture", "image.png", /binary/],
    ["text in another encoding", "latin1.txt", /binary/],
    ["a pipe, which would wait for ever", "pipe", /pipe is not a regular file/],
  ])("says what is wrong with %s", async (_what, path, right) => {
    const files = {
      "folder/x.txt": "",
      "l.txt": lines,
      "image.png": Buffer.from([0x89, 0x50, 0, 1]),
      "latin1.txt": Buffer.from([0x63, 0xe9]),
    };
    const { results } = await play([["read_file", { path }]], files, (place) =>
      execFileSync("mkfifo", [join(place, "workspace/pipe")]),
    );
    expect(results).toEqual([{ text: expect.stringMatching(right), isError: true }]);
  });

  test("a file that is too large to be read at once is refused", async () => {
    const { results } = await play([["read_file", { path: "big.txt" }]], { "big.txt": "" }, (place) =>
      truncateSync(join(place, "workspace/big.txt"), 10_000_001),
    );
    expect(results).toEqual([{ text: expect.stringMatching(/more than 10000000 bytes/), isError: true }]);
  });

  test("a file that would fill the conversation is refused, a part of it is not", async () => {
    const calls: Call[] = [
      ["read_file", { path: "long.txt" }],
      ["read_file", { path: "long.txt", offset: 29_999, limit: 1 }],
    ];
    const { results } = await play(calls, { "long.txt": "seven..\n".repeat(30_000) });
    expect(results).toEqual([
      { text: expect.stringMatching(/^Error: long.txt is too long for one answer \(30001 lines\)/), isError: true },
      { text: "seven..", isError: false },
    ]);
  });
});

describe("write_file", () => {
  test("makes folders and counts bytes, not characters", async () => {
    const content = "héllo 你好 😀\n";
    const { stage, results } = await play([["write_file", { path: "deep/er/note.txt", content }]]);
    expect(stage.read("deep/er/note.txt")).toBe(content);
    expect(results[0]?.text).toBe("Wrote 19 bytes to deep/er/note.txt");
  });

  test("a path that ends in a slash names a folder", async () => {
    const { stage, results } = await play([["write_file", { path: "d/", content: "x" }]]);
    expect(results).toEqual([{ text: "Error: d/ is a folder", isError: true }]);
    expect(stage.exists("d")).toBe(false);
  });

  test("keeps the mode of a file it replaces, and leaves nothing else behind", async () => {
    const { stage } = await play([["write_file", { path: "run.sh", content: "new" }]], { "run.sh": "old" }, (place) =>
      chmodSync(join(place, "workspace/run.sh"), 0o755),
    );
    expect(statSync(stage.path("run.sh")).mode & 0o777).toBe(0o755);
    expect(readdirSync(stage.workspace)).toEqual(["run.sh"]);
  });

  test("onto a folder or a pipe is an error, and replaces neither", async () => {
    const calls: Call[] = ["folder", "pipe", ""].map((path) => ["write_file", { path, content: "x" }]);
    const { stage, results } = await play(calls, { "folder/x.txt": "" }, (place) =>
      execFileSync("mkfifo", [join(place, "workspace/pipe")]),
    );
    expect(results.map(({ text }) => text)).toEqual([
      "Error: folder is a folder",
      "Error: pipe is not a regular file",
      expect.stringMatching(/^Error: bad arguments[^]*path/),
    ]);
    expect(statSync(stage.path("pipe")).isFIFO()).toBe(true);
  });
});

describe("what somebody else has changed since the model saw a file is not undone", () => {
  const read: Call = ["read_file", { path: "a.txt" }];
  const part: Call = ["read_file", { path: "a.txt", limit: 1 }];
  const write: Call = ["write_file", { path: "a.txt", content: "the model's\n" }];
  const edit: Call = ["edit_file", { path: "a.txt", old_text: "one", new_text: "1" }];
  const others: Call = ["bash", { command: "echo theirs >> a.txt" }];
  const touch: Call = ["bash", { command: "touch -d 2001-01-01 a.txt" }];
  const remove: Call = ["bash", { command: "rm a.txt" }];
  const refused = /^Error: a.txt has changed since you last read it: read all of it again/;
  const wrote = /^Wrote 12 bytes to a.txt$/;

  test.each<[string, Call[], RegExp, string?]>([
    ["read, changed, written", [read, others, write], refused],
    ["written, changed, written", [write, others, write], refused],
    ["a part read, changed, written", [part, others, write], refused],
    ["read, changed, a part read, written", [read, others, part, write], refused],
    ["read, changed, edited: what the model saw is as old as before", [read, others, edit, write], refused],
    ["found missing, made, written", [read, others, write], refused, ""],
    ["read, changed, read again, written", [read, others, read, write], wrote],
    ["read, edited, written", [read, edit, write], wrote],
    ["edited, but never read", [others, edit, write], wrote],
    ["never read", [others, write], wrote],
    ["only the date has changed", [read, touch, write], wrote],
    ["it is gone", [read, remove, write], wrote],
    ["found missing, written", [read, write], wrote, ""],
  ])("%s", async (_what, calls, right, before = "one\ntwo\n") => {
    const { stage, results } = await play(calls, before === "" ? {} : { "a.txt": before });
    expect(results.at(-1)?.text).toMatch(right);
    expect(stage.read("a.txt")).toMatch(right === refused ? /theirs/ : /^the model's\n$/);
  });

  test("every agent has seen what it has seen: what one writes, another has not read", async () => {
    const { stage } = await play([read], { "a.txt": "one\n" });
    const other = createAgent(stage.options);
    const run = (agent: typeof other, [name, input]: Call) => agent.tool(toolUse(name, input));
    await expect(run(other, read)).resolves.toMatchObject({ content: "one\n" });
    await run(other, write);
    expect(await run(stage.agent, write)).toMatchObject({ content: expect.stringMatching(refused), is_error: true });
    expect(await run(other, write)).toMatchObject({ content: expect.stringMatching(wrote) });
  });

  test("also at the last moment: what an editor saves while an edit is made stays", async () => {
    const { stage } = await play([], { "a.txt": "one two" });
    const change = (text: string) => {
      stage.write("a.txt", "saved");
      return text.replace("one", "1");
    };
    const edited = textFiles().change(stage.path("a.txt"), "a.txt", change, new AbortController().signal);
    await expect(edited).rejects.toThrow("a.txt has just changed: try again");
    expect(stage.read("a.txt")).toBe("saved");
  });
});

describe("edit_file", () => {
  const edit = (old_text: string, new_text: string): Call => ["edit_file", { path: "a.txt", old_text, new_text }];

  test.each([
    ["replaces the one place", "a\nb b\nc\n", "b b", "changed", "a\nchanged\nc\n"],
    ["takes the new text literally", "price: X\n", "X", "$& $1 $` $$", "price: $& $1 $` $$\n"],
    ["can take something away", "keep, drop", ", drop", "", "keep"],
    [
      "keeps Windows line ends and the byte order mark",
      "\ufeffone\r\ntwo\r\n",
      "two",
      "2\n3",
      "\ufeffone\r\n2\r\n3\r\n",
    ],
    ["finds lines given with other line ends", "one\r\ntwo\r\nthree\r\n", "one\ntwo", "1\n2", "1\r\n2\r\nthree\r\n"],
    ["leaves mixed line ends as they are", "one\r\ntwo\nthree", "two\nthree", "2\n3", "one\r\n2\n3"],
    ["gives a mixed file the line ends of the place", "one\r\ntwo\nthree\n", "one\ntwo", "1\n2", "1\r\n2\nthree\n"],
    ["a new line ends as its neighbour does", "one\r\ntwo\nthree\n", "two", "2\r\nand", "one\r\n2\nand\nthree\n"],
    ["keeps each line's end in a mixed place", "1\r\n2\n3\r\n4", "1\n2\n3\n4", "1\n2\nthree\n4", "1\r\n2\nthree\r\n4"],
    ["brings no Windows line end into a Unix file", "one\ntwo\n", "one\r\ntwo", "1\r\n2", "1\n2\n"],
    ["nor with new lines", "one\ntwo\n", "one", "1\r\n1.5", "1\n1.5\ntwo\n"],
    ["nor into a file of one line", "one", "one", "1\r\n2", "1\n2"],
    ["a line end at the end", "one\r\ntwo\r\n", "one\n", "", "two\r\n"],
    ["a line end at the beginning", "one\r\ntwo\r\n", "\ntwo", "\n2", "one\r\n2\r\n"],
    ["keeps the byte order mark, also when it is given", "\ufeffone\n", "\ufeffone", "\ufeff1", "\ufeff1\n"],
    ["and when it is left out of the new text", "\ufeffone\n", "\ufeffone", "1", "\ufeff1\n"],
    ["wide characters", "你好，世界 😀", "世界 😀", "大家", "你好，大家"],
    ["finds é that is e and an accent, and keeps it so", "a cafe\u0301!\n", "caf\u00e9", "th\u00e9", "a the\u0301!\n"],
    ["and the other way round", "a caf\u00e9!\n", "cafe\u0301", "the\u0301", "a th\u00e9!\n"],
    ["changes the form where that is what is asked", "caf\u00e9\n", "caf\u00e9", "cafe\u0301", "cafe\u0301\n"],
    ["a new é in a plain text is as it is given", "one\r\ntwo\r\n", "one\ntwo", "caf\u00e9", "caf\u00e9\r\n"],
    [
      "behind others that are longer there",
      "e\u0301e\u0301\r\ne\u0301 x\r\n",
      "x",
      "y",
      "e\u0301e\u0301\r\ne\u0301 y\r\n",
    ],
    [
      "Korean syllables in parts",
      "\u1112\u1161\u11ab\u1100\u1173\u11af\n",
      "\uae00",
      "\uad6d",
      "\u1112\u1161\u11ab\u1100\u116e\u11a8\n",
    ],
  ])("%s", async (_what, before, old_text, new_text, after) => {
    const { stage, results } = await play([edit(old_text, new_text)], { "a.txt": before });
    expect(stage.read("a.txt")).toBe(after);
    expect(results).toEqual([{ text: "Edited a.txt", isError: false }]);
  });

  test.each<[string, string, string, RegExp, string?]>([
    ["there is no such text", "same\n", "absent", /^Error: text not found$/],
    [
      "only white space differs, with the line as it is",
      "if (x) {\n\treturn;\n",
      "if (x) {\n  return;",
      /^Error: text not found; but line 2 is "\\treturn;"/,
    ],
    ["a blank at the end of a line differs", "a one  \na two\n", "a one\na two", /; but line 1 is "a one  "/],
    ["an empty line is missing", "{\n\none\n\ntwo\n", "{\none\ntwo\n", /; but line 4 is ""/],
    ["only the beginning differs", "one\n}\nfour\n", "}}\nfour", /; but line 3 is "four"/],
    [
      "quotes differ",
      "1\nsay “it’s” so\n",
      'say "it\'s" so',
      /line 2 is "say “it’s” so", “ is U\+201C, ’ is U\+2019, ” is/,
    ],
    ["a dash differs", "1\n\n3–4 pages\n", "3-4 pages", /line 3 is "3–4 pages", – is U\+2013:/],
    ["the width differs", "1\nｆｏｏ（１）；\n", "foo(1);", /line 2 is "ｆｏｏ（１）；"/],
    ["a blank is one that does not break", "10\u00a0km off\n", "10 km off", /line 1 is .*\u00a0 is U\+00A0/],
    ["something invisible is in it", "foo\u200bBar()\n", "fooBar()", /line 1 is .* is U\+200B/],
    ["it is only a part of a character: e of é", "cafe\u0301\n", "cafe", /^Error: text not found$/],
    [
      "it is only a part of a character: an accent of two",
      "q\u0302\u0323\n",
      "q\u0323",
      /^Error: text not found: .*a part of/,
    ],
    ["it is nothing but a byte order mark", "\ufeffone\n", "\ufeff", /^Error: text not found$/],
    [
      "it is there in two forms, with the lines of both",
      "caf\u00e9\n\ncafe\u0301\n",
      "caf\u00e9",
      /2 times, in lines 1, 3/,
    ],
    [
      "there are several, with their number and lines",
      "x=1\ny=2\nx=1\n",
      "x=1",
      /^Error: text found 2 times, in lines 1, 3/,
    ],
    ["places overlap", "aaa", "aa", /^Error: text found 2 times/],
    ["nothing would change", "new", "new", /^Error: .*the same/],
    ["nothing but line ends would change", "new\r\n", "new\r\n", /^Error: .*the same/, "new\n"],
    ["the old text is empty", "abc", "", /^Error: [^]*old_text/],
  ])("says it and changes nothing when %s", async (_what, before, old_text, right, new_text = "new") => {
    const { stage, results } = await play([edit(old_text, new_text)], { "a.txt": before });
    expect(results).toEqual([{ text: expect.stringMatching(right), isError: true }]);
    expect(stage.read("a.txt")).toBe(before);
  });

  test("half a character is not there", () => {
    expect(occurrences("😀😀", "😀")).toEqual([0, 2]);
    expect(["\ud83d", "\ude00", "\ude00😀"].map((half) => occurrences("😀😀", half))).toEqual([[], [], []]);
  });

  test("edits of one file at the same time are all there in the end", async () => {
    const names = Array.from({ length: 12 }, (_, i) => `line ${i}`);
    const { stage } = await play([], { "a.txt": names.join("\n") });
    const tool = stage.agent.tools.get("edit_file");
    const finish = async (name: string) =>
      tool?.run(
        { path: "a.txt", old_text: `${name}\n`, new_text: `${name} done\n` },
        { id: "t", signal: new AbortController().signal },
      );
    stage.write("a.txt", `${names.join("\n")}\n`);
    await Promise.all(names.map(finish));
    expect(stage.read("a.txt")).toBe(names.map((name) => `${name} done\n`).join(""));
  });

  test("what is written while an edit is at it is not lost", async () => {
    const { stage } = await play([], { "a.txt": "one two" });
    const [path, signal, files] = [stage.path("a.txt"), new AbortController().signal, textFiles()];
    let written: Promise<void> = Promise.resolve();
    const change = (text: string) => {
      written = files.write(path, "a.txt", "all new", signal);
      return text.replace("one", "1");
    };
    await files.change(path, "a.txt", change, signal);
    await written;
    expect(stage.read("a.txt")).toBe("all new");
  });

  test("Ctrl-C while another edits the file ends the wait, and nothing is changed", async () => {
    const { stage } = await play([], { "a.txt": "one two" });
    const turn = new AbortController();
    const [path, stopped, files] = [stage.path("a.txt"), new Error("stopped"), textFiles()];
    let second: Promise<void> = Promise.resolve();
    const change = (text: string) => {
      second = files.change(path, "a.txt", () => "never", turn.signal);
      second.catch(() => {}); // it is looked at below
      turn.abort(stopped);
      return text.replace("one", "1");
    };
    await files.change(path, "a.txt", change, new AbortController().signal);
    await expect(second).rejects.toBe(stopped);
    expect(stage.read("a.txt")).toBe("1 two");
  });

  test("a text that is everywhere is counted quickly, and only some of its lines are named", async () => {
    const { results } = await play([edit("x", "y")], { "a.txt": "x\n".repeat(200_000) });
    expect(results[0]?.text).toMatch(/^Error: text found 200000 times, in lines 1, 2, [\d, ]+ 20, …; give more/);
  });

  test("a file that is no text is left alone", async () => {
    const bytes = Buffer.from([0x63, 0xe9, 0x63]);
    const { stage, results } = await play([edit("c", "d")], { "a.txt": bytes });
    expect(results).toMatchObject([{ isError: true }]);
    expect(readFileSync(stage.path("a.txt"))).toEqual(bytes);
  });
});

describe("glob", () => {
  const files = {
    "top.ts": "",
    "src/b.ts": "",
    "src/a.ts": "",
    "src/deep/er/c.ts": "",
    "src/.hidden.ts": "",
    ".github/ci.ts": "",
    "node_modules/x/index.ts": "",
    ".git/hook.ts": "",
  };
  test.each([
    ["**/*.ts", [".github/ci.ts", "src/.hidden.ts", "src/a.ts", "src/b.ts", "src/deep/er/c.ts", "top.ts"]],
    ["src/[ab].ts", ["src/a.ts", "src/b.ts"]],
    ["./src/{b,a}.ts", ["src/a.ts", "src/b.ts"]],
    ["node_modules/**/*.ts", ["node_modules/x/index.ts"]],
    [".git/*", [".git/hook.ts"]],
    [".github/**", [".github/ci.ts"]],
    ["*.nothing", ["(no matches)"]],
    ["{src,top}/{a,b}.ts", ["src/a.ts", "src/b.ts"]],
  ])("%s", async (pattern, right) => {
    const { results } = await play([["glob", { pattern }]], files);
    expect(results).toEqual([{ text: right.join("\n"), isError: false }]);
  });

  test.each([
    ["app/(auth)/**", ["app/(auth)/in/page.tsx"]],
    ["**/(auth)/*/page.tsx", ["app/(auth)/in/page.tsx"]],
    ["app/[...slug]/page.tsx", ["app/[...slug]/page.tsx"]],
    ["app/[[...rest]]/*", ["app/[[...rest]]/page.tsx"]],
    ["app/{[id],(auth)}/**", ["app/(auth)/in/page.tsx", "app/[id]/page.tsx"]],
    ["[id].ts", ["[id].ts", "d.ts", "i.ts"]],
    ["\\[id\\].ts", ["[id].ts"]],
    ["notes (1).md", ["notes (1).md"]],
    ["notes*(1)*", ["notes (1).md"]],
    ["@(i|d).ts", ["(no matches)"]],
    ["{i,d}.ts", ["d.ts", "i.ts"]],
    ["!(x)/#*", ["!(x)/#1"]],
    ["!*/*", ["!(x)/#1"]],
    ["back\\\\*", ["back\\slash.txt"]],
    ["sorted/**", ["sorted/a-b", "sorted/a.c/x", "sorted/a/x", "sorted/aa"]],
    ["sorted/", ["(no matches)"]],
    ["nowhere/*", ["(no matches)"]],
  ])("names that other tools take for a pattern: %s", async (pattern, right) => {
    const names = ["app/(auth)/in/page.tsx", "app/[...slug]/page.tsx", "app/[[...rest]]/page.tsx", "app/[id]/page.tsx"];
    const more = ["[id].ts", "i.ts", "d.ts", "notes (1).md", "!(x)/#1", "back\\slash.txt"];
    const sorted = ["sorted/aa", "sorted/a/x", "sorted/a-b", "sorted/a.c/x"];
    const tree = Object.fromEntries([...names, ...more, ...sorted].map((name) => [name, ""]));
    const { results } = await play([["glob", { pattern }]], tree);
    expect(results).toEqual([{ text: right.join("\n"), isError: false }]);
  });

  test.each(["back\\slash", "[a](b){c}*", "~", "#!"])("a workspace called %s", async (name) => {
    const { stage } = await play([], { [`${name}/src/a.ts`]: "", [`${name}/.b/c.ts`]: "" });
    const found = await findFiles("**/*.ts", stage.path(name), new AbortController().signal, 9);
    expect(found).toEqual([".b/c.ts", "src/a.ts"]);
  });

  test("Ctrl-C ends the search", async () => {
    const { stage } = await play([], { "a/b/c/d.txt": "" });
    const turn = new AbortController();
    const found = findFiles("**", stage.workspace, turn.signal, 9);
    turn.abort(new Error("stopped"));
    await expect(found).rejects.toThrow("stopped");
  });

  test("when there is enough, these are the first in order", async () => {
    const { stage } = await play([], { "b/3": "", "a/2": "", "a/1": "", c: "" });
    const { signal } = new AbortController();
    expect(await findFiles("**", stage.workspace, signal, 3)).toEqual(["a/1", "a/2", "b/3"]);
  });

  test("an absolute pattern gives paths of the workspace", async () => {
    const stage = await stageAgent(createAgent, {
      files: { "a.txt": "" },
      script: [
        (request) => {
          const workspace = /at (\S+)\./.exec(JSON.stringify(request.system))?.[1];
          return call("glob", { pattern: `${workspace}/*` });
        },
        say("ok"),
      ],
    });
    await stage.prompt("go");
    expect(stage.results()).toEqual([{ text: "a.txt", isError: false }]);
  });

  test.each([
    ["../*", /leads out/],
    ["a/../../**", /leads out/],
    ["/etc/*", /leads out/],
    ["/**", /leads out/],
    ["link/*", /leads out/],
    [`${"*a".repeat(25)}b`, /too much/],
    ["{a,b}".repeat(24), /too much/],
    ["{1..999}{1..999}", /too much/],
    ["{{a,b},c,d}".repeat(9), /too much/],
    ["[".repeat(4000), /too much/],
    ["x/".repeat(4000) + "*", /too much/],
  ])("%s is refused, not tried", async (pattern, right) => {
    const { results } = await play([["glob", { pattern }]], { ["a".repeat(200)]: "" }, (place) =>
      symlinkSync("/etc", join(place, "workspace/link")),
    );
    expect(results).toEqual([{ text: expect.stringMatching(right), isError: true }]);
  });

  test("does not walk through links", async () => {
    const { results } = await play([["glob", { pattern: "**/*" }]], { "in.txt": "" }, (place) => {
      mkdirSync(join(place, "other"));
      writeFileSync(join(place, "other/secret.txt"), "");
      symlinkSync(join(place, "other"), join(place, "workspace/link"));
    });
    expect(results).toEqual([{ text: "in.txt", isError: false }]);
  });

  test("a list without end is cut, and says so", async () => {
    const many = Object.fromEntries(Array.from({ length: 2003 }, (_, i) => [`f/${i}`, ""]));
    const { results } = await play([["glob", { pattern: "f/*" }]], many);
    expect(results[0]?.text.split("\n")).toHaveLength(2001);
    expect(results[0]?.text).toMatch(/\n\(and more: use a narrower pattern\)$/);
  });
});

describe("dispatch, in the small", () => {
  const signal = new AbortController().signal;
  const toolThat = (run: Parameters<typeof defineTool>[3]) =>
    new Map([["it", defineTool("it", "", z.object({}), run)]]);

  test.each(["constructor", "toString", "__proto__", "hasOwnProperty"])(
    "%s is no tool, though every object has one of that name",
    async (name) => {
      const result = await dispatch(
        toolThat(async () => "ran"),
        toolUse(name),
        signal,
      );
      expect(result).toMatchObject({ content: expect.stringMatching(`^Error: .*${name}.* it$`), is_error: true });
    },
  );

  test.each([
    ["a text", "out of order", /out of order/],
    ["null", null, /null/],
    ["nothing", undefined, /undefined/],
    ["an object", { message: 5 }, /./],
  ])("a tool that throws %s has failed, too", async (_what, thrown, right) => {
    const tools = toolThat(() => Promise.reject(thrown));
    const result = await dispatch(tools, toolUse("it"), signal);
    expect(result).toMatchObject({ content: expect.stringMatching(right), is_error: true });
    expect(result.content).toMatch(/^Error: /);
  });

  test("a tool learns which call it runs for, and the signal that ends it", async () => {
    const about: unknown[] = [];
    const tools = toolThat(async (_input, running) => {
      about.push(running.id, running.signal);
      return "ran";
    });
    await dispatch(tools, toolUse("it", {}, "toolu_9"), signal);
    expect(about).toEqual(["toolu_9", signal]);
  });

  test("a tool can say itself that it failed", async () => {
    const tools = toolThat(async () => ({ content: "exit code 1", is_error: true }));
    expect(await dispatch(tools, toolUse("it"), signal)).toMatchObject({ content: "exit code 1", is_error: true });
  });

  test("after Ctrl-C an unknown tool ends the turn as well", async () => {
    const over = dispatch(
      toolThat(async () => "ran"),
      toolUse("other"),
      AbortSignal.abort(new Error("stopped")),
    );
    await expect(over).rejects.toThrow("stopped");
  });
});
