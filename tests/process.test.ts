/** What a user of a chapter sees of it as a program, whatever the chapter. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { findChapters } from "../shared/course/chapters.ts";
import { repositoryRoot } from "../shared/settings.ts";
import { call, fail, reply, runningProcesses, say, script, stall } from "../shared/test-kit.ts";
import { makeWorkspace, RUN, serve, startChapter } from "./chapter-process.ts";

vi.setConfig({ testTimeout: 60_000 }); // a start takes a second, several on a busy machine

const ESCAPE = "\u001b";
/** A chapter of one's own, with something to be done at its end that takes time. */
const withDeferred = () => ({
  "package.json": '{ "type": "module" }',
  "code.ts": `import { writeFileSync } from "node:fs";
    import { setTimeout } from "node:timers/promises";
    import { createAgent } from ${JSON.stringify(join(repositoryRoot, "chapters/s01/code.ts"))};
    import { runChapter } from ${JSON.stringify(join(repositoryRoot, "shared/chapter.ts"))};
    await runChapter(import.meta, (options) => {
      options.defer(async () => {
        await setTimeout(50);
        writeFileSync("deferred", "");
      });
      if (process.argv[2] === "break") queueMicrotask(() => { throw new Error("an exercise, perhaps"); });
      return createAgent(options);
    });`,
});
const bash = (command: string) => ({ name: "bash", input: { command } });
const chapters = findChapters().map(({ name }) => name);

/** A command that leaves a child in the background and one in a session of its own, and the name all of them have. */
function restless() {
  const nap = `sleep ${1000 + Math.random()}`;
  return { nap, command: `${nap} & setsid ${nap} & touch started; ${nap}` };
}
const isStarted = (workspace: string) => expect.poll(() => existsSync(join(workspace, "started")), { timeout: 25_000 });
const areGone = (nap: string) => expect.poll(() => runningProcesses(nap), { timeout: 25_000 });

describe.each(chapters)("%s as a program", (chapter) => {
  test("answers the prompt on its command line and ends, though its input stays open", async () => {
    const server = await serve(script([call("bash", { command: "echo seen > made.txt" }), say("All done.")]));
    const workspace = makeWorkspace();
    const { code, stdout, stderr } = await startChapter(chapter, { workspace, url: server.url, prompt: "do it" }).ended;
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/● bash echo seen[^]*All done\./) });
    expect(existsSync(join(workspace, "made.txt"))).toBe(true);
    expect(stdout + stderr).not.toContain(ESCAPE);
  });
});

test.each([
  ["--help", 0, "stdout"],
  ["--model", 2, "stderr"],
] as const)("%s is no prompt: one is told what there is", async (prompt, code, stream) => {
  const answer = await startChapter("s01", { workspace: makeWorkspace(), prompt }).ended;
  const usage = expect.stringMatching(/^Usage: pnpm tsx chapters\/s01\/code\.ts .*"a prompt"[^]*--trace/);
  expect(answer).toEqual({ code, stdout: "", stderr: "", [stream]: usage });
});

test("--trace shows requests and replies on stderr, a JSON object a line, and is no part of the prompt", async () => {
  const server = await serve(script([call("bash", { command: "echo hi" }), say("Done.")]));
  const workspace = makeWorkspace();
  const { stdout, stderr } = await startChapter("s01", { workspace, url: server.url, prompt: "go", args: ["--trace"] })
    .ended;
  const lines = stderr
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines).toMatchObject([
    { request: 1, tools: ["bash"], messages: 1, new: 1 },
    { system: expect.stringContaining(workspace) },
    { role: "user", content: "go" },
    { reply: "tool_use", content: [{ name: "bash" }] },
    { request: 2, messages: 3, new: 2 },
    { role: "assistant" },
    { role: "user", content: [{ content: "hi" }] },
    { reply: "end_turn", content: [{ text: "Done." }] },
  ]);
  expect(stdout).not.toContain("request");
});

test("a Node that is too old is told in one line, before anything else is loaded", () => {
  const old = `data:text/javascript,Object.defineProperty(process.versions, "node", { value: "20.18.3" })`;
  const [node = "", ...loader] = RUN;
  const code = join(repositoryRoot, "chapters/s05/code.ts");
  const { status, stdout, stderr } = spawnSync(node, [...loader, "--import", old, code], { encoding: "utf8" });
  expect({ status, stdout, stderr }).toEqual({
    status: 1,
    stdout: "",
    stderr: "This needs Node 20.19 or later; here it is 20.18.3.\n",
  });
});

test("a command sees the environment of the user, not that of the launcher", async () => {
  const server = await serve(script([call("bash", { command: "echo [$NODE_PATH]" }), say("ok")]));
  const env = { TRACE: "1" };
  const start = { workspace: makeWorkspace(), url: server.url, prompt: "go", launcher: true, env };
  const { stderr } = await startChapter("s01", start).ended;
  expect(JSON.stringify(server.requests[1]?.body)).toContain('"content":"[]"');
  expect(stderr).toMatch(/^\{"request":1,/); // TRACE=1 is --trace
});

test("when nobody reads its output any more it ends: no later command, no request", async () => {
  const { nap, command } = restless();
  const later = [1, 2, 3].map((n) => bash(`sleep 0.2; touch later-${n}`));
  const server = await serve(script([reply(bash("touch started; sleep 0.5"), ...later, bash(command)), say("never")]));
  const workspace = makeWorkspace();
  const chapter = startChapter("s01", { workspace, url: server.url });
  chapter.write("go\n");
  await isStarted(workspace).toBe(true);
  chapter.stopReading();
  expect((await chapter.ended).code).toBe(1);
  // The second may have begun before anything was written.
  expect(["later-2", "later-3"].filter((file) => existsSync(join(workspace, file)))).toEqual([]);
  expect(server.requests).toHaveLength(1);
  await areGone(nap).toEqual([]);
});

describe("the prompt loop", () => {
  test("each line is a prompt, a blank one is none, q leaves", async () => {
    const server = await serve(script([say("First answer."), say("Second answer."), say("never")]));
    const chapter = startChapter("s01", { workspace: makeWorkspace(), url: server.url });
    chapter.write("one\n\n   \ntwo\nq\nthree\n"); // and the input stays open
    const { code, stdout, stderr } = await chapter.ended;
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(/^Model: claude-sonnet-5 at http.*\n$/),
    });
    expect(stdout).toMatch(/First answer\.[^]*Second answer\./);
    expect(stdout).not.toContain(ESCAPE);
    expect(server.requests).toHaveLength(2);
  });

  test("the last line counts without a line end, and an error ends its turn alone", async () => {
    const server = await serve(script([fail(400, { message: "No such thing." }), say("Still here.")]));
    const workspace = makeWorkspace(withDeferred());
    const chapter = startChapter("code.ts", { workspace, url: server.url });
    chapter.end("one\ntwo");
    expect(await chapter.ended).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("Still here."),
      stderr: expect.stringContaining("No such thing."),
    });
    expect(existsSync(join(workspace, "deferred"))).toBe(true); // it is waited for
  });

  test("an approval is answered by the next line, and denied at the end of input", async () => {
    const server = await serve(script([reply(bash("rm one.txt"), bash("rm two.txt")), say("Done.")]));
    const workspace = makeWorkspace({ "one.txt": "1", "two.txt": "2" });
    const chapter = startChapter("s03", { workspace, url: server.url });
    chapter.end("delete both\ny\n");
    const stdout = expect.stringMatching(/\[N\]o: y\n[^]*Permission denied/); // one sees which line was the answer
    expect(await chapter.ended).toMatchObject({ code: 0, stdout });
    expect(existsSync(join(workspace, "one.txt"))).toBe(false);
    expect(existsSync(join(workspace, "two.txt"))).toBe(true);
  });
});

describe("two chapters in one workspace", () => {
  test("edits of one file at the same time are all there in the end", async () => {
    const names = Array.from({ length: 20 }, (_, i) => `line ${i}.`);
    const workspace = makeWorkspace({ "a.txt": names.join("\n") });
    const edit = (name: string) => ({
      name: "edit_file",
      input: { path: "a.txt", old_text: name, new_text: `${name} done` },
    });
    const runs = [names.slice(0, 10), names.slice(10)].map(async (half) => {
      const { url } = await serve(script([reply(...half.map(edit)), say("Done.")]));
      return startChapter("s02", { workspace, url, prompt: "go" }).ended;
    });
    expect(await Promise.all(runs)).toMatchObject([{ code: 0 }, { code: 0 }]);
    expect(readFileSync(join(workspace, "a.txt"), "utf8")).toBe(names.map((name) => `${name} done`).join("\n"));
  });
});

test("a one-prompt run that fails ends with 1 and one clear line", async () => {
  const { url } = await serve(script([say("never")]), { apiKey: "another-key" });
  const { code, stderr } = await startChapter("s01", { workspace: makeWorkspace(), url, prompt: "hello" }).ended;
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/^[^\n]*401.*ANTHROPIC_API_KEY.*\n$/) });
});

describe("where the model is", () => {
  test("the workspace's .env says it; what the environment says goes before", async () => {
    const server = await serve(script([say("Found you.")]), { apiKey: "from-file" });
    const workspace = makeWorkspace({
      ".env": `ANTHROPIC_API_KEY="from-file"\nANTHROPIC_BASE_URL=${server.url}\nMODEL_ID=claude-opus-5\n`,
    });
    const { ended } = startChapter("s01", { workspace, prompt: "hello", env: { MODEL_ID: "claude-haiku-4-5" } });
    expect(await ended).toMatchObject({ code: 0, stdout: expect.stringContaining("Found you.") });
    expect(server.requests[0]?.body?.model).toBe("claude-haiku-4-5");
  });

  // A key in the repository's own .env would make this a talk with the real model.
  test.skipIf(existsSync(join(repositoryRoot, ".env")))("without a key it is offline, which is said once", async () => {
    const chapter = startChapter("s02", { workspace: makeWorkspace(), env: { OFFLINE_PACE: "0" } });
    chapter.write("hello\nhello\nquit\n"); // leaves too
    const { code, stdout, stderr } = await chapter.ended;
    expect(code).toBe(0);
    expect(stdout).toMatch(/\S/);
    expect(stderr.match(/offline/gi)).toHaveLength(1);
  });
});

describe("signals", () => {
  test("Ctrl-C ends a model call, then a command with all it started, and the conversation goes on", async () => {
    const { nap, command } = restless();
    const waiting = stall(say("never"));
    const server = await serve(script([waiting, call("bash", { command }), say("Still here.")]));
    const workspace = makeWorkspace();
    const chapter = startChapter("s01", { workspace, url: server.url });

    chapter.write("wait for the model\n");
    await waiting.reached;
    chapter.signal("SIGINT");
    await chapter.seen("[interrupted]");

    chapter.write("run a command\n");
    await isStarted(workspace).toBe(true);
    chapter.signal("SIGINT");
    await chapter.seen("[interrupted by the user");
    await areGone(nap).toEqual([]);

    chapter.write("go on\nexit\n"); // leaves too
    expect(await chapter.ended).toMatchObject({ code: 0, stdout: expect.stringContaining("Still here.") });
  });

  test("Ctrl-C at the prompt leaves", async () => {
    const server = await serve(script([fail(400, { message: "No such thing." })]));
    const chapter = startChapter("s01", { workspace: makeWorkspace(), url: server.url });
    chapter.write("hello\n");
    await chapter.seen("No such thing."); // what is said last of a turn
    chapter.signal("SIGINT");
    expect((await chapter.ended).code).toBe(0);
  });

  test.each(["SIGTERM", "SIGHUP"] as const)(
    "%s ends the turn, what was deferred, which is waited for, and all that a command has started",
    async (signal) => {
      const { nap, command } = restless();
      const server = await serve(script([reply(bash(command), bash("touch later")), say("never")]));
      const workspace = makeWorkspace(withDeferred());
      const chapter = startChapter("code.ts", { workspace, url: server.url });
      chapter.write("run it\n");
      await isStarted(workspace).toBe(true);
      chapter.signal(signal);
      const { code, stdout } = await chapter.ended;
      expect(code).toBe({ SIGTERM: 143, SIGHUP: 129 }[signal]);
      expect(stdout).not.toContain("never");
      expect(["deferred", "later"].map((file) => existsSync(join(workspace, file)))).toEqual([true, false]);
      await areGone(nap).toEqual([]);
    },
  );

  test("what was deferred is done and waited for, also when the program breaks", async () => {
    const workspace = makeWorkspace(withDeferred());
    expect((await startChapter("code.ts", { workspace, args: ["break"] }).ended).code).toBe(1);
    expect(existsSync(join(workspace, "deferred"))).toBe(true);
  });

  test("a one-prompt run waits for what was deferred, and leaves nothing of what its commands started", async () => {
    const { nap } = restless();
    const server = await serve(script([call("bash", { command: `setsid ${nap} & ${nap} & true` }), say("Done.")]));
    const workspace = makeWorkspace(withDeferred());
    expect(await startChapter("code.ts", { workspace, url: server.url, prompt: "go" }).ended).toMatchObject({
      code: 0,
    });
    expect(existsSync(join(workspace, "deferred"))).toBe(true);
    await areGone(nap).toEqual([]);
  });
});

const hasScript = spawnSync("script", ["--version"], { encoding: "utf8" }).stdout?.includes("util-linux") ?? false;

describe.skipIf(!hasScript)("on a terminal", () => {
  test("a program that breaks gives the terminal back, and says why on a line of its own", () => {
    const workspace = makeWorkspace({
      "package.json": '{ "type": "module" }',
      "code.ts": `import { runChapter } from ${JSON.stringify(join(repositoryRoot, "shared/chapter.ts"))};
        await runChapter(import.meta, () => { throw new Error("an exercise, perhaps"); });`,
    });
    const command = [...RUN, "code.ts"].map((word) => `'${word}'`).join(" ");
    const { stdout } = spawnSync("script", ["-qefc", command, "/dev/null"], { cwd: workspace, encoding: "utf8" });
    expect(stdout).toMatch(/\[\?2004h[^]*\[\?2004l[^]*an exercise, perhaps/);
    expect(stdout).toMatch(/\[0JError: an exercise, perhaps/); // the busy line has gone
  });

  test("that is closed the chapter ends, with all that a command has started", async () => {
    const { nap, command } = restless();
    const server = await serve(script([call("bash", { command }), say("never")]));
    const workspace = makeWorkspace();
    const chapter = startChapter("s01", { workspace, url: server.url, prompt: nap, terminal: true });
    await isStarted(workspace).toBe(true);
    expect(runningProcesses(nap).length).toBeGreaterThan(3); // the chapter too has it on its command line
    chapter.closeTerminal();
    await areGone(nap).toEqual([]);
  });

  test.each([
    ["is in colour", {}, true],
    ["is not with NO_COLOR", { NO_COLOR: "1" }, false],
  ])("what is no answer %s; Ctrl-C leaves at the prompt", async (_what, env, coloured) => {
    const waiting = stall(say("never"));
    const server = await serve(script([waiting, fail(400, { message: "No such thing." })]));
    const terminal = { terminal: true, env: { TERM: "xterm", ...env } };
    const chapter = startChapter("s01", { workspace: makeWorkspace(), url: server.url, ...terminal });
    await chapter.seen("s01 >> ");
    chapter.write("wait\r");
    await waiting.reached;
    chapter.write("\u0003\u0003"); // an impatient one: it is the turn that is meant
    await chapter.seen("[interrupted]");
    chapter.write("fail\r");
    await chapter.seen("No such thing.");
    chapter.write("\u0003");
    const { code, stdout } = await chapter.ended;
    expect(code).toBe(0);
    expect(stdout.includes(`${ESCAPE}[2m`)).toBe(coloured);
  });
});
