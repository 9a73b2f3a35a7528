import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
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
    expect(await run("cat; cat <&1; cat <&2; echo done")).toMatchObject({ output: "done", code: 0 });
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
