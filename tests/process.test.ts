/** What a user of a chapter sees of it as a program, whatever the chapter. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { findChapters } from "../shared/course/chapters.ts";
import { repositoryRoot } from "../shared/settings.ts";
import { call, fail, reply, runningProcesses, say, script, stall } from "../shared/test-kit.ts";
import { makeWorkspace, serve, startChapter } from "./chapter-process.ts";

vi.setConfig({ testTimeout: 30_000 }); // a start takes a second, several on a busy machine

const ESCAPE = "\u001b";
const bash = (command: string) => ({ name: "bash", input: { command } });
const chapters = findChapters().map(({ name }) => name);

/** A command that leaves a child in the background and one in a session of its own, and the name all of them have. */
function restless() {
  const nap = `sleep ${1000 + Math.random()}`;
  return { nap, command: `${nap} & setsid ${nap} & touch started; ${nap}` };
}
const isStarted = (workspace: string) => expect.poll(() => existsSync(join(workspace, "started")), { timeout: 9000 });
const areGone = (nap: string) => expect.poll(() => runningProcesses(nap), { timeout: 9000 });

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
] as const)("%s is no prompt: there are no options, and one is told so", async (prompt, code, stream) => {
  const answer = await startChapter("s01", { workspace: makeWorkspace(), prompt }).ended;
  const usage = 'Usage: pnpm tsx chapters/s01/code.ts ["a prompt"]\n';
  expect(answer).toEqual({ code, stdout: "", stderr: "", [stream]: usage });
});

describe("the prompt loop", () => {
  test.each(["q", "quit", "exit"])("each line is a prompt, a blank one is none, %s leaves", async (word) => {
    const server = await serve(script([say("First answer."), say("Second answer."), say("never")]));
    const chapter = startChapter("s01", { workspace: makeWorkspace(), url: server.url });
    chapter.write(`one\n\n   \ntwo\n${word}\nthree\n`); // and the input stays open
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
    const chapter = startChapter("s01", { workspace: makeWorkspace(), url: server.url });
    chapter.end("one\ntwo");
    expect(await chapter.ended).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("Still here."),
      stderr: expect.stringContaining("No such thing."),
    });
  });

  test("an approval is answered by the next line, and denied at the end of input", async () => {
    const server = await serve(script([reply(bash("rm one.txt"), bash("rm two.txt")), say("Done.")]));
    const workspace = makeWorkspace({ "one.txt": "1", "two.txt": "2" });
    const chapter = startChapter("s03", { workspace, url: server.url });
    chapter.end("delete both\ny\n");
    expect(await chapter.ended).toMatchObject({ code: 0, stdout: expect.stringContaining("Permission denied") });
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

describe("a one-prompt run that fails ends with 1 and one clear line", () => {
  test.each([
    ["the API refuses", {}, /400.*No such thing\./],
    ["the key is wrong", { apiKey: "another-key" }, /401.*ANTHROPIC_API_KEY/],
    ["nobody is at the address", { gone: true }, /ECONNREFUSED/],
  ])("when %s", async (_what, { apiKey, gone }: { apiKey?: string; gone?: boolean }, line) => {
    const model = script([fail(400, { message: "No such thing." })]);
    const { url, close } = await serve(model, apiKey === undefined ? {} : { apiKey });
    if (gone) await close();
    const { code, stderr } = await startChapter("s01", { workspace: makeWorkspace(), url, prompt: "hello" }).ended;
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(line) });
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });
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
    chapter.end("hello\nhello\n");
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

    chapter.end("go on\n");
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
    "%s ends the chapter and all that a command has started",
    async (signal) => {
      const { nap, command } = restless();
      const server = await serve(script([call("bash", { command }), say("never")]));
      const workspace = makeWorkspace();
      const chapter = startChapter("s01", { workspace, url: server.url });
      chapter.write("run it\n");
      await isStarted(workspace).toBe(true);
      chapter.signal(signal);
      const { stdout } = await chapter.ended;
      expect(stdout).not.toContain("never");
      await areGone(nap).toEqual([]);
    },
  );

  test("a one-prompt run leaves nothing of what its commands started in the background", async () => {
    const { nap } = restless();
    const server = await serve(script([call("bash", { command: `setsid ${nap} & ${nap} & true` }), say("Done.")]));
    const { ended } = startChapter("s01", { workspace: makeWorkspace(), url: server.url, prompt: "go" });
    expect(await ended).toMatchObject({ code: 0 });
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
    const command = `'${join(repositoryRoot, "node_modules/.bin/tsx")}' code.ts`;
    const { stdout } = spawnSync("script", ["-qefc", command, "/dev/null"], { cwd: workspace, encoding: "utf8" });
    expect(stdout).toMatch(/\[\?2004h[^]*\[\?2004l[^]*an exercise, perhaps/);
    expect(stdout.slice(0, stdout.indexOf("code.ts:"))).toMatch(/\[0J[^\n]*$/); // the busy line has gone
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
