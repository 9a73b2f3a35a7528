/**
 * `pnpm bench [n]`: how long one waits for a chapter, medians of n runs in ms: until its prompt is there, and until its
 * first request comes with a prompt on the command line. To compare with: a script that does nothing, and one of five
 * lines that sends a request with the SDK. All run by tsx.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findChapters } from "../shared/course/chapters.ts";
import { say } from "../shared/offline/script.ts";
import { startOfflineServer } from "../shared/offline/server.ts";
import { repositoryRoot } from "../shared/settings.ts";

const NOTHING = `console.log(">> ");`;
const FIVE_LINES = `import Anthropic from "@anthropic-ai/sdk";
const client = new Anthropic();
const messages = [{ role: "user" as const, content: "hi" }];
const message = await client.messages.create({ model: "claude-sonnet-5", max_tokens: 100, messages });
console.log(message.content);`;

const median = (values: number[]) => Math.round(values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0);
const runs = Number(process.argv[2] ?? 10);
const folder = mkdtempSync(join(tmpdir(), "startup-"));
symlinkSync(join(repositoryRoot, "shared/node_modules"), join(folder, "node_modules"));
writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
writeFileSync(join(folder, "nothing.ts"), NOTHING);
writeFileSync(join(folder, "five-lines.ts"), FIVE_LINES);

let requested = () => {};
const server = await startOfflineServer({
  model: () => {
    requested();
    return say("hello");
  },
});
const env = { ...process.env, ANTHROPIC_API_KEY: "key", ANTHROPIC_BASE_URL: server.url };
const tsx = join(repositoryRoot, "node_modules/.bin/tsx");

/** Milliseconds until the prompt is on the screen: on a terminal, by util-linux's `script`. */
async function untilPrompt(file: string, runner = `'${tsx}'`): Promise<number> {
  const started = performance.now();
  const child = spawn("script", ["-qefc", `${runner} '${file}'`, "/dev/null"], { cwd: folder, env });
  for await (const chunk of child.stdout) if (String(chunk).includes(">> ")) break;
  const ms = performance.now() - started;
  child.kill();
  return ms;
}

/** Milliseconds until the first request arrives. */
async function untilRequest(file: string, ...args: string[]): Promise<number> {
  const started = performance.now();
  const arrived = new Promise<number>((resolve) => {
    requested = () => resolve(performance.now() - started);
  });
  const child = spawn(tsx, [file, ...args], { cwd: folder, env, stdio: "ignore" });
  await once(child, "exit");
  return arrived;
}

const measures: [string, () => Promise<number>][] = [
  ["nothing: output", () => untilPrompt(join(folder, "nothing.ts"))],
  ["five lines: first request", () => untilRequest(join(folder, "five-lines.ts"))],
];
for (const { name, code } of findChapters()) {
  measures.push(
    [`${name}: prompt`, () => untilPrompt(code)],
    [`${name}: first request`, () => untilRequest(code, "hi")],
  );
}
const newest = findChapters().at(-1);
if (newest) {
  const loader = `node --import '${import.meta.resolve("tsx")}'`;
  measures.push(["pnpm start's command: prompt", () => untilPrompt(newest.code, loader)]);
}

// In turns: while the machine is busy with something else, it is so for all of them.
const rounds: number[][] = [];
for (let round = 0; round < runs; round += 1) {
  const times: number[] = [];
  for (const [, run] of measures) times.push(await run());
  rounds.push(times);
}
for (const [i, [name]] of measures.entries()) {
  console.log(`${name.padEnd(28)} ${median(rounds.map((times) => times[i] ?? Number.NaN))} ms`);
}
await server.close();
rmSync(folder, { recursive: true });
