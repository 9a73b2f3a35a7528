/** A chapter as its user runs it: a process of its own, in a workspace of its own, with a scripted model. */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { Model } from "../shared/offline/script.ts";
import { startOfflineServer } from "../shared/offline/server.ts";
import { repositoryRoot } from "../shared/settings.ts";

/** Starts a Messages API with this model, for as long as the test runs. */
export async function serve(model: Model, options: { apiKey?: string } = {}) {
  const server = await startOfflineServer({ model, record: true, ...options });
  onTestFinished(() => server.close());
  return server;
}

/** Makes a workspace with these files, for as long as the test runs. */
export function makeWorkspace(files: Record<string, string> = {}): string {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "process-")));
  onTestFinished(() => rmSync(place, { recursive: true, force: true }));
  const workspace = join(place, "my work 作業"); // a blank and wide characters in the path
  mkdirSync(workspace);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), content);
  }
  return workspace;
}

interface Start {
  workspace: string;
  /** The server's address; without it the model is what the environment and the workspace say. */
  url?: string;
  /** The prompt on the command line. */
  prompt?: string;
  env?: Record<string, string>;
  /** More words on the command line, before the prompt. */
  args?: string[];
  /** Give it a terminal, by util-linux's `script`. */
  terminal?: boolean;
  /** By the launcher that `pnpm tsx` starts, which starts the chapter: a second more to wait. */
  launcher?: boolean;
}

/** Node with tsx's loader: runs a file as `tsx` does, without its launcher. */
export const RUN = [process.execPath, "--import", import.meta.resolve("tsx")];

/** Starts `chapters/sNN/code.ts`, or another file, in a workspace. It is ended with the test. */
export function startChapter(
  name: string,
  { workspace, url, prompt, args: options = [], env = {}, terminal = false, launcher = false }: Start,
) {
  const file = name.endsWith(".ts") ? name : join(repositoryRoot, "chapters", name, "code.ts");
  const runner = launcher ? [join(repositoryRoot, "node_modules/.bin/tsx")] : RUN;
  const words = [...runner, file, ...options, ...(prompt === undefined ? [] : [prompt])];
  const quoted = words.map((word) => `'${word}'`).join(" ");
  const [command = "", ...args] = terminal ? ["script", "-qefc", quoted, "/dev/null"] : words;
  const child = spawn(command, args, {
    cwd: workspace,
    env: {
      PATH: process.env.PATH,
      HOME: dirname(workspace),
      LANG: "C.UTF-8",
      MODEL_ID: "claude-sonnet-5",
      ...(url !== undefined && { ANTHROPIC_API_KEY: "test-key", ANTHROPIC_BASE_URL: url }),
      ...env,
    },
    detached: true, // a group of its own, so that all of it can be ended
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${command} cannot be started`);

  const output = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output.stderr += text));
  child.stdin.on("error", () => {}); // it has left
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    child.on("close", (code) => resolve({ code, ...output }));
  });
  onTestFinished(() => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-pid, "SIGKILL");
  });

  return {
    /** What it has printed so far. */
    output,
    /** Resolves when it has ended, and all that holds its pipes. */
    ended,
    write: (text: string) => child.stdin.write(text),
    /** End of input. */
    end: (text = "") => child.stdin.end(text),
    /** Nobody reads its stdout any more, as behind `| head -1`. */
    stopReading: () => void child.stdout.destroy(),
    /** Its terminal is closed: what holds it is no more. */
    closeTerminal: () => process.kill(pid, "SIGKILL"),
    /** Resolves when this text has come out. */
    seen: (text: string) =>
      new Promise<void>((resolve) => {
        const look = () => {
          if ((output.stdout + output.stderr).includes(text)) resolve();
        };
        child.stdout.on("data", look);
        child.stderr.on("data", look);
        look();
      }),
    signal: (signal: NodeJS.Signals) => process.kill(pid, signal),
  };
}
