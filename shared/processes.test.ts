import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { userEnvironment } from "./processes-environment.ts";
import { repositoryRoot } from "./settings.ts";
import { commandOutput, createProcesses, outputKeeper } from "./processes.ts";
import { runningProcesses } from "./test-kit.ts";

const never = new AbortController().signal;
/** A command that sleeps, and that no other test has. */
const nap = () => `sleep ${1000 + Math.random()}`;

function start({ limit = 60, signal = never, cwd = tmpdir() } = {}) {
  const processes = createProcesses();
  onTestFinished(() => processes.endAll());
  return { processes, run: (command: string) => processes.run(command, { cwd, signal, limit }) };
}

describe("run", () => {
  test("at the time limit, what was printed is kept and everything that was started ends", async () => {
    const sleep = nap();
    const { run } = start({ limit: 0.3 });
    const outcome = await run(`echo begun; ${sleep} & setsid ${sleep} & (setsid ${sleep} &) ; ${sleep}`);
    expect(outcome).toMatchObject({ output: "begun", end: "timeout" });
    expect(commandOutput({ ...outcome, limit: 120 })).toEqual({
      content: "begun\nError: Timeout (120s)",
      is_error: true,
    });
    expect(runningProcesses(sleep)).toEqual([]);
  });

  test("nothing waits for keys, whichever stream it reads", async () => {
    const { run } = start();
    expect(await run("cat; cat <&1; cat <&2; echo done")).toMatchObject({
      output: expect.stringMatching(/done$/),
      end: "exit",
    });
  });

  test.each([
    ["> /dev/stdout", "echo one; echo two > /dev/stdout; echo three", "one\ntwo\nthree"],
    ["> /dev/stderr, and the order is kept", "echo 1 > /dev/stderr; echo 2; echo 3 >&2; echo 4", "1\n2\n3\n4"],
    ["| tee /dev/stderr", "echo twice | tee /dev/stderr", "twice\ntwice"],
    ["cp to /dev/stdout", "echo text > f; cp f /dev/stdout; rm f", "text"],
    ["in a process of its own", "sh -c 'echo inner > /dev/stdout; echo > /proc/self/fd/2; echo end'", "inner\n\nend"],
  ])("a command can open its output by name: %s", async (_what, command, output) => {
    const cwd = mkdtempSync(join(tmpdir(), "processes-"));
    onTestFinished(() => rmSync(cwd, { recursive: true }));
    expect(await start({ cwd }).run(command)).toMatchObject({ output, code: 0 });
  });

  test("a pipe leaves no name behind, and what does not start leaves no open file", async () => {
    const temporary = mkdtempSync(join(tmpdir(), "processes-"));
    vi.stubEnv("TMPDIR", temporary);
    onTestFinished(() => {
      vi.unstubAllEnvs();
      rmSync(temporary, { recursive: true });
    });
    const openFiles = () => readdirSync("/proc/self/fd").length;
    const { processes, run } = start();
    await run("true");
    const before = openFiles();
    for (let i = 0; i < 5; i++) {
      expect(await run("echo hi")).toMatchObject({ output: "hi" });
      await processes.run("true", { cwd: "/no/such/folder", signal: never, limit: 1 });
    }
    expect(readdirSync(temporary)).toEqual([]);
    await expect.poll(openFiles).toBeLessThanOrEqual(before);
  });

  test("where no pipe can be made the command fails, and says why", async () => {
    vi.stubEnv("TMPDIR", "/no/such/folder");
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await start({ cwd: "/" }).run("true")).toMatchObject({
      code: 126,
      output: expect.stringMatching(/cannot start.*mkfifo.*\/no\/such\/folder/),
    });
  });

  test("a command that ignores the polite signal ends all the same", async () => {
    const sleep = nap();
    const { run } = start({ limit: 0.2 });
    expect(await run(`trap '' TERM; echo stubborn; ${sleep}; ${sleep}`)).toMatchObject({
      output: "stubborn",
      end: "timeout",
    });
    expect(runningProcesses(sleep)).toEqual([]);
  });

  test("a command that hears the polite signal can clean up", async () => {
    const { run } = start({ limit: 0.2 });
    const outcome = await run(`trap 'echo cleaned up; exit 0' TERM; while :; do sleep 0.01; done`);
    expect(outcome).toMatchObject({ output: expect.stringContaining("cleaned up"), end: "timeout" });
  });

  test("a process left in the background does not keep the answer waiting; it lives until the end, and no longer", async () => {
    const sleep = nap();
    const { run, processes } = start();
    expect(await run(`(${sleep} &); setsid ${sleep} & echo hi`)).toMatchObject({ output: "hi", code: 0, end: "exit" });
    await run("true");
    expect(runningProcesses(sleep)).toHaveLength(2);
    processes.endAll();
    await expect.poll(() => runningProcesses(sleep)).toEqual([]);
  });

  test("at the end nothing escapes: no lost mark, no left group, no storm", async () => {
    const sleep = nap();
    const { run, processes } = start();
    const storm = `(while :; do setsid ${sleep} & done) 2>/dev/null & sleep 0.1`;
    await run(`env -i ${sleep} & (exec -c ${sleep}) & setsid ${sleep} & ${storm}`);
    processes.endAll();
    await expect.poll(() => runningProcesses(sleep)).toEqual([]);
  });

  test("one agent's end does not touch the processes of another", async () => {
    const sleep = nap();
    const [one, other] = [start(), start()];
    await one.run(`${sleep} & true`);
    other.processes.endAll();
    expect(runningProcesses(sleep)).toHaveLength(1);
  });

  test("an aborted signal starts nothing", async () => {
    const { run } = start({ signal: AbortSignal.abort(new Error("stopped")) });
    await expect(run("true")).rejects.toThrow("stopped");
  });

  test.each([
    ["a folder that is gone", "true", "/no/such/folder"],
    ["a zero byte", "echo a\0b", tmpdir()],
    ["a command line that is too long", `: ${"x".repeat(3_000_000)}`, tmpdir()],
  ])("%s is a failure, not an exception", async (_what, command, cwd) => {
    const { run } = start({ cwd });
    expect(await run(command)).toMatchObject({ code: 126, output: expect.stringContaining("cannot start") });
  });

  test("a command that begins with a dash is no option of the shell", async () => {
    expect(await start().run("-n")).toMatchObject({
      output: expect.stringMatching(/-n: (command )?not found/),
      code: 127,
    });
  });

  test("nothing pages, prompts or opens an editor", async () => {
    const folder = mkdtempSync(join(tmpdir(), "processes-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const { run } = start({ cwd: folder });
    const commits = "for i in $(seq 60); do git -c user.name=t -c user.email=t@t commit -q --allow-empty -m $i; done";
    const outcome = await run(
      `git init -q . && ${commits} && git log --oneline && git rebase -i HEAD~1 2>&1 | tail -1`,
    );
    expect(outcome.output.split("\n")).toHaveLength(61);
  });

  test("fifty megabytes, then the reason at the end: both ends are kept, and the code", async () => {
    const { run } = start();
    const outcome = await run("echo first; yes x | head -c 50000000; echo FAIL >&2; exit 3");
    expect(outcome).toMatchObject({ code: 3, output: expect.stringMatching(/^first\nx[^]*FAIL$/) });
    expect(outcome.output.length).toBeLessThanOrEqual(50_000);
    expect(outcome.output).toMatch(/\[… 49\d{6} characters left out …\]/);
  });
});

describe("the environment of a command is the user's", () => {
  const bin = join(repositoryRoot, "node_modules/.bin");
  test.each([
    ["what tsx's launcher adds goes", { NODE_PATH: `${repositoryRoot}/node_modules/x:${repositoryRoot}/y` }, {}],
    [
      "what the user has stays",
      { NODE_PATH: `${repositoryRoot}/x:/mine`, EDITOR: "vi" },
      { NODE_PATH: "/mine", EDITOR: "vi" },
    ],
    [
      "what npx and pnpm add goes",
      {
        PATH: `${bin}:${bin}:/usr/lib/node_modules/npm/node_modules/@npmcli/run-script/lib/node-gyp-bin:/bin:/mine/node_modules/.bin`,
        npm_execpath: "npm-cli.js",
        npm_config_user_agent: "pnpm",
        pnpm_config_verify_deps_before_run: "false",
        PNPM_PACKAGE_NAME: "x",
        INIT_CWD: "/",
        NODE: process.execPath,
        EDITOR: "vi",
        COLOR: "0",
        HOME: "/home",
      },
      { PATH: "/bin:/mine/node_modules/.bin", HOME: "/home" },
    ],
    [
      "of these what the user set stays",
      { npm_command: "exec", NODE: "/other/node", EDITOR: "emacs", PATH: "/bin" },
      { NODE: "/other/node", EDITOR: "emacs", PATH: "/bin" },
    ],
    [
      "without a launcher PATH stays as it is",
      { PATH: `${bin}:/bin`, COLOR: "1" },
      { PATH: `${bin}:/bin`, COLOR: "1" },
    ],
  ])("%s", (_what, environment, right) => expect(userEnvironment(environment)).toEqual(right));

  test("a command gets it, and of ours only the mark and what keeps programs quiet", async () => {
    vi.stubEnv("NODE_PATH", join(repositoryRoot, "node_modules"));
    onTestFinished(() => void vi.unstubAllEnvs());
    const { output } = await start().run("env");
    const names = output.split("\n").flatMap((line) => /^\w+(?==)/.exec(line) ?? []);
    const own = names.filter((name) => !(name in userEnvironment()) && !["_", "SHLVL", "PWD", "OLDPWD"].includes(name));
    expect(output).not.toContain("NODE_PATH");
    expect(own.toSorted()).toEqual(
      ["AGENT_PROCESS_MARK", "GIT_EDITOR", "GIT_PAGER", "GIT_TERMINAL_PROMPT", "MANPAGER", "PAGER"].filter(
        (name) => !(name in userEnvironment()),
      ),
    );
  });
});

describe("outputKeeper", () => {
  const keep = (pieces: string[], limit: number) => {
    const keeper = outputKeeper(limit);
    for (const piece of pieces) keeper.add(piece);
    return keeper.text();
  };

  test("keeps all of what fits, and says how much is missing of what does not", () => {
    expect(keep(["a".repeat(500), "b".repeat(500)], 1000)).toBe("a".repeat(500) + "b".repeat(500));
    expect(keep(["a".repeat(500), "b".repeat(501)], 1000)).toBe(
      `${"a".repeat(450)}\n[… 101 characters left out …]\n${"b".repeat(450)}`,
    );
  });

  test.each(Array.from({ length: 12 }, (_, i) => [i]))(
    "cuts no character in two, however the pieces fall (%i)",
    (shift) => {
      const text = "x".repeat(shift) + "😀你".repeat(2000);
      const pieces = [
        text.slice(0, 700 + shift * 3),
        text.slice(700 + shift * 3, 701 + shift * 3),
        text.slice(701 + shift * 3),
      ];
      const kept = keep(pieces, 1000 + shift);
      expect(kept.isWellFormed()).toBe(true);
      expect(kept.length).toBeLessThanOrEqual(1000 + shift);
      const left = Number(/… (\d+) characters/.exec(kept)?.[1]);
      expect(kept.replace(/\n\[.*\]\n/, "").length + left).toBe(text.length);
    },
  );
});
