import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { startOfflineServer } from "shared/offline/server";
import { call, cutOff, fail, reply, say, script, type Model, type Step } from "shared/test-kit";
import { expect, onTestFinished, test } from "vitest";

/** Runs the file in a folder of its own, with these lines typed. */
async function takeHome(steps: (Step | Model)[], lines: string[]) {
  const server = await startOfflineServer({ model: script(steps), record: true });
  const workspace = mkdtempSync(join(tmpdir(), "take-home-"));
  onTestFinished(async () => {
    await server.close();
    rmSync(workspace, { recursive: true, force: true });
  });
  const words = ["--import", import.meta.resolve("tsx"), join(import.meta.dirname, "take-home.ts")];
  const env = { PATH: process.env.PATH, ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: "test-key" };
  const child = spawn(process.execPath, words, { cwd: workspace, env });
  child.stdin.end(lines.map((line) => `${line}\n`).join(""));
  const printed = Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await once(child, "close");
  return { code, printed: (await printed).join(""), requests: server.requests };
}

const bash = (command: string) => call("bash", { command });

test("runs the calls of the model and shows it their results, until it asks for none", async () => {
  const { code, printed, requests } = await takeHome(
    [bash("echo made here; exit 3"), say("Done."), say("Again.")],
    ["go", "", "go on"],
  );
  expect({ code, printed }).toEqual({ code: 0, printed: expect.stringMatching(/● bash echo[^]*Done\.[^]*Again\./) });
  expect(JSON.stringify(requests[1]?.body?.messages.at(-1))).toMatch(/made here.*exit code 3/);
  expect(requests).toHaveLength(3);
});

test.each<[string, Step[]]>([
  ["a reply that was cut off", [cutOff(reply("I run it.", { name: "bash", input: { command: "echo never" } }))]],
  ["bad arguments", [call("bash", { cmd: "ls" }), say("sorry")]],
  ["no output", [bash("true"), say("ok")]],
  ["a refused request", [fail(400, { message: "no" })]],
])("goes on after %s", async (_what, steps) => {
  const { code, printed } = await takeHome([...steps, say("still here")], ["first", "second"]);
  expect({ code, printed }).toEqual({ code: 0, printed: expect.stringContaining("still here") });
  expect(printed).not.toContain("● bash echo never");
});
