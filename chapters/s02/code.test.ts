import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { call, rehearse, reply, say, stall, toolUse } from "shared/test-kit";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createAgent, defineTool, dispatch, wrap } from "./code.ts";
import { changeText, writeText } from "./text.ts";

type Call = [name: string, input: unknown];

/** Lets the model make these calls in one reply, and gives their results. */
async function play(
  calls: Call[],
  files: Record<string, string | Buffer> = {},
  prepare: (place: string) => unknown = () => {},
) {
  const stage = await rehearse(createAgent, {
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
    const stage = await rehearse(createAgent, { script: [waiting] });
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
    const stage = await rehearse(createAgent, { script: [say("hi")] });
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
    const stage = await rehearse(createAgent, { script: [call("shout", { text: "hi" }), say("ok")] });
    const shout = defineTool("shout", "Say it loud.", z.object({ text: z.string() }), async ({ text }) =>
      text.toUpperCase(),
    );
    stage.agent.tools.set("shout", shout);
    await stage.prompt("go");
    expect(stage.request(1).tools?.at(-1)).toMatchObject({ name: "shout", description: "Say it loud." });
    expect(stage.results()).toEqual([{ text: "HI", isError: false }]);
  });

  test("wrap replaces a step by one made of the old one, and names its layer", async () => {
    const { agent } = await rehearse(createAgent);
    const before = agent.turn;
    wrap(agent, "turn", "twice", (next) => async (messages) => {
      await next(messages);
      await next(messages);
    });
    expect(Object.entries(agent.turn)).toEqual([
      ["layer", "twice"],
      ["next", before],
    ]);
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
    const stage = await rehearse(
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

  test("links that go round in a circle are an error", async () => {
    const { results } = await play([["read_file", { path: "a" }]], {}, (place) => {
      symlinkSync("b", join(place, "workspace/a"));
      symlinkSync("a", join(place, "workspace/b"));
    });
    expect(results).toMatchObject([{ isError: true }]);
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
    ["wide characters", "你好，世界 😀", "世界 😀", "大家", "你好，大家"],
  ])("%s", async (_what, before, old_text, new_text, after) => {
    const { stage, results } = await play([edit(old_text, new_text)], { "a.txt": before });
    expect(stage.read("a.txt")).toBe(after);
    expect(results).toEqual([{ text: "Edited a.txt", isError: false }]);
  });

  test.each([
    ["there is no such text", "same\n", "absent", /^Error: text not found$/],
    [
      "only white space differs, with the line as it is",
      "if (x) {\n\treturn;\n",
      "if (x) {\n  return;",
      /^Error: text not found; but line 1 is "if \(x\) \{"/,
    ],
    [
      "there are several, with their number and lines",
      "x=1\ny=2\nx=1\n",
      "x=1",
      /^Error: text found 2 times, in lines 1, 3/,
    ],
    ["places overlap", "aaa", "aa", /^Error: text found 2 times/],
    ["nothing would change", "new", "new", /^Error: .*the same/],
    ["the old text is empty", "abc", "", /^Error: [^]*old_text/],
  ])("says it and changes nothing when %s", async (_what, before, old_text, right) => {
    const { stage, results } = await play([edit(old_text, "new")], { "a.txt": before });
    expect(results).toEqual([{ text: expect.stringMatching(right), isError: true }]);
    expect(stage.read("a.txt")).toBe(before);
  });

  test("edits of one file at the same time are all there in the end", async () => {
    const names = Array.from({ length: 12 }, (_, i) => `line ${i}`);
    const { stage } = await play([], { "a.txt": names.join("\n") });
    const tool = stage.agent.tools.get("edit_file");
    const finish = async (name: string) =>
      tool?.run({ path: "a.txt", old_text: `${name}\n`, new_text: `${name} done\n` });
    stage.write("a.txt", `${names.join("\n")}\n`);
    await Promise.all(names.map(finish));
    expect(stage.read("a.txt")).toBe(names.map((name) => `${name} done\n`).join(""));
  });

  test("what is written while an edit is at it is not lost", async () => {
    const { stage } = await play([], { "a.txt": "one two" });
    const [path, signal] = [stage.path("a.txt"), new AbortController().signal];
    let written: Promise<void> = Promise.resolve();
    await changeText(path, "a.txt", signal, (text) => {
      written = writeText(path, "a.txt", signal, "all new");
      return text.replace("one", "1");
    });
    await written;
    expect(stage.read("a.txt")).toBe("all new");
  });

  test("Ctrl-C while another edits the file ends the wait, and nothing is changed", async () => {
    const { stage } = await play([], { "a.txt": "one two" });
    const turn = new AbortController();
    const [path, stopped] = [stage.path("a.txt"), new Error("stopped")];
    let second: Promise<void> = Promise.resolve();
    await changeText(path, "a.txt", new AbortController().signal, (text) => {
      second = changeText(path, "a.txt", turn.signal, () => "never");
      second.catch(() => {}); // it is looked at below
      turn.abort(stopped);
      return text.replace("one", "1");
    });
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

  test("an absolute pattern gives paths of the workspace", async () => {
    const stage = await rehearse(createAgent, {
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
    expect(results[0]?.text).toMatch(/\(3 more; use a narrower pattern\)$/);
  });
});
