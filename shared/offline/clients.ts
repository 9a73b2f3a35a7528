/**
 * `pnpm clients [name…] [--in folder] [--scripted]`: other people's harnesses against our offline API, without a key. Installs each
 * from the npm registry, has it list, make, edit and run something, and prints what was done and what was refused.
 * `--in`: where to install, to have it there the next time. `--scripted`: the calls come from here and not from the
 * offline model, so that what is tried is the server alone. For maintainers: it takes minutes and half a gigabyte.
 */
import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { MessageCreateParams } from "@anthropic-ai/sdk/resources/messages";
import type { SeenRequest } from "./answer.ts";
import { logLine } from "./log.ts";
import { offlineModel } from "./model.ts";
import { reply, say, type Step } from "./script.ts";
import { startOfflineServer } from "./server.ts";

interface Client {
  name: string;
  /** With their versions; the first one is the client. */
  packages: [string, ...string[]];
  command: (prompt: string) => string[];
  env?: (url: string) => Record<string, string>;
  /** Files that it wants in its home. */
  home?: (url: string) => Record<string, unknown>;
}

const QUIET_CLAUDE = {
  IS_SANDBOX: "1",
  DISABLE_TELEMETRY: "1",
  DISABLE_AUTOUPDATER: "1",
  DISABLE_ERROR_REPORTING: "1",
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
};
const claude = (version: string, ...more: string[]): Omit<Client, "name"> => ({
  packages: [`@anthropic-ai/claude-code@${version}`],
  command: (prompt) => ["claude", "-p", prompt, "--permission-mode", "bypassPermissions", ...more],
  env: () => QUIET_CLAUDE,
});
const AGENT_SDK = `import { query } from "@anthropic-ai/claude-agent-sdk";
const options = { permissionMode: "bypassPermissions", allowDangerouslySkipPermissions: true, cwd: process.env.PWD };
for await (const message of query({ prompt: process.argv[1], options })) if ("result" in message) console.log(message.result);`;
const pi = (...packages: [string, ...string[]]): Omit<Client, "name"> => ({
  packages,
  command: (prompt) => [
    "pi",
    "-p",
    "--offline",
    "--no-session",
    "--provider",
    "anthropic",
    "--model",
    "claude-sonnet-4-5",
    prompt,
  ],
  home: (url) => ({ ".pi/agent/models.json": { providers: { anthropic: { baseUrl: url } } } }),
});

const CLIENTS: Client[] = [
  { name: "claude", ...claude("latest") },
  { name: "claude, claude-sonnet-4-5", ...claude("latest", "--model", "claude-sonnet-4-5") },
  { name: "claude, claude-sonnet-5", ...claude("latest", "--model", "claude-sonnet-5") },
  { name: "claude, claude-opus-5-5", ...claude("latest", "--model", "claude-opus-5-5") },
  { name: "claude, claude-fable-5-1", ...claude("latest", "--model", "claude-fable-5-1") },
  { name: "claude 2.1.197", ...claude("2.1.197") },
  {
    name: "agent-sdk",
    packages: ["@anthropic-ai/claude-agent-sdk@latest"],
    command: (prompt) => ["node", "--input-type=module", "-e", AGENT_SDK, prompt],
    env: () => QUIET_CLAUDE,
  },
  ...["claude-sonnet-5", "claude-opus-5-5"].map((model) => ({
    name: `opencode, ${model}`,
    packages: ["opencode-ai@latest"] as [string],
    command: (prompt: string) => ["opencode", "run", "--auto", "--model", `anthropic/${model}`, prompt],
    env: (url: string) => ({
      ANTHROPIC_BASE_URL: `${url}/v1`,
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
      OPENCODE_DISABLE_SHARE: "1",
    }),
  })),
  { name: "pi", ...pi("@earendil-works/pi-coding-agent@latest", "node@22") /* It wants a newer Node than we. */ },
  { name: "pi 0.73", ...pi("@mariozechner/pi-coding-agent@latest") },
  {
    name: "qwen-code",
    packages: ["@qwen-code/qwen-code@latest"],
    command: (prompt) => ["qwen", "--auth-type", "anthropic", "--model", "claude-sonnet-4-5", "--yolo", prompt],
    env: () => ({ ANTHROPIC_MODEL: "claude-sonnet-4-5" }),
  },
];

interface Task {
  prompt: string;
  /** What a scripted model runs for it. */
  command: string;
  isDone: (output: string, workspace: string) => Promise<boolean>;
}

const says = (file: string, text: string) => async (_output: string, workspace: string) =>
  (await readFile(join(workspace, file), "utf8").catch(() => "")).trim() === text;

/** Each in the folder that the one before has left. */
const TASKS: Task[] = [
  { prompt: "list the files here", command: "ls", isDone: async (output) => output.includes("notes.txt") },
  {
    prompt: "create hello.txt with the text good morning",
    command: "echo good morning > hello.txt",
    isDone: says("hello.txt", "good morning"),
  },
  {
    prompt: "in hello.txt replace morning with evening",
    command: "sed s/morning/evening/ hello.txt > new; mv new hello.txt",
    isDone: says("hello.txt", "good evening"),
  },
  {
    prompt: "run the command `expr 6 '*' 7`",
    command: "expr 6 '*' 7",
    isDone: async (output) => /\b42\b/.test(output),
  },
];

/** What some shells want beside the command. */
const OTHERS = new Map<string, unknown>([
  ["description", "as asked"],
  ["is_background", false],
  ["timeout", 60],
]);

const TIME_LIMIT = 180_000; // ms, for one task

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { in: { type: "string" }, scripted: { type: "boolean" } },
});
const wanted = CLIENTS.filter(
  ({ name }) => positionals.length === 0 || positionals.some((word) => name.includes(word)),
);
const temporary = await mkdtemp(join(tmpdir(), "clients-"));
const installed = resolve(values.in ?? join(temporary, "installed"));
let seen: SeenRequest[] = [];
const server = await startOfflineServer({
  model: values.scripted ? scriptedModel : offlineModel,
  onAnswer: (request) => seen.push(request),
});
try {
  for (const client of wanted) await tryOut(client);
} finally {
  await server.close();
  await rm(temporary, { recursive: true, force: true });
}

/** Runs the task's command with whatever tool takes one, then says what came of it. */
function scriptedModel({ messages, tools = [] }: MessageCreateParams): Step {
  const conversation = JSON.stringify(messages);
  const task = TASKS.findLast(({ prompt }) => conversation.includes(JSON.stringify(prompt).slice(1, -1)));
  const shell = tools
    .filter((tool) => "input_schema" in tool)
    .find(({ input_schema }) => input_schema.required?.includes("command"));
  const content = messages.findLast(({ role }) => role === "user")?.content ?? ""; // Notes of the harness may follow.
  const results = Array.isArray(content) ? content.filter(({ type }) => type === "tool_result") : [];
  if (results.length > 0) return say(`It printed: ${JSON.stringify(results)}`);
  if (!task || !shell) return say("Nothing to do.");
  const { name, input_schema } = shell;
  const input = (command: string) =>
    Object.fromEntries(
      (input_schema.required ?? []).map((key) => [key, key === "command" ? command : OTHERS.get(key)]),
    );
  return reply("I do it.", { name, input: input(task.command) }, { name, input: input("pwd") });
}

async function tryOut(client: Client): Promise<void> {
  const folder = join(installed, client.packages[0].replaceAll(/[^\w.-]+/g, "-"));
  const version = await install(client.packages, folder);
  if (version === undefined) return console.log(`\n${client.name}: could not be installed`);
  console.log(`\n${client.name} ${version}`);
  const home = join(temporary, client.name.replaceAll(/\W+/g, "-"), "home");
  const workspace = join(temporary, client.name.replaceAll(/\W+/g, "-"), "work");
  await write(workspace, { "notes.txt": "buy bread\n" });
  await write(home, client.home?.(server.url) ?? {});
  for (const { prompt, isDone } of TASKS) {
    seen = [];
    const env = { ...environment(home, workspace), PATH: pathFor(folder), ...client.env?.(server.url) };
    const { output, ended } = await run(client.command(prompt), { cwd: workspace, modules: folder, env });
    const isOver = await isDone(output, workspace);
    const refused = [...new Set(seen.filter(({ status = 200 }) => status >= 400).map(logLine))];
    console.log(`  ${isOver ? "done    " : "NOT DONE"} ${prompt} (${seen.length} requests, ${refused.length} refused)`);
    for (const line of refused) console.log(`    ${line.slice(0, 600)}`);
    if (!isOver) console.log(`    ${ended}; said: ${JSON.stringify(output.slice(-400))}`);
  }
}

/** Installs once; gives the version, or undefined where the registry or the machine says no. */
async function install(packages: [string, ...string[]], folder: string): Promise<string | undefined> {
  const bare = packages[0].replace(/(?<=.)@[^@]*$/, "");
  const versionOf = async (): Promise<string> => {
    const manifest: unknown = JSON.parse(await readFile(join(folder, "node_modules", bare, "package.json"), "utf8"));
    return typeof manifest === "object" && manifest !== null && "version" in manifest ? String(manifest.version) : "";
  };
  const there = await versionOf().catch(() => undefined);
  if (there !== undefined) return there;
  await write(folder, { "package.json": { private: true } });
  await run(["npm", "install", "--no-audit", "--no-fund", ...packages], { cwd: folder, env: process.env });
  return versionOf().catch(() => undefined);
}

function pathFor(folder: string): string {
  return `${join(folder, "node_modules", ".bin")}:${process.env.PATH ?? ""}`;
}

/** Nothing of the caller's accounts and settings; what would leave the machine fails at once. */
function environment(home: string, workspace: string): NodeJS.ProcessEnv {
  const foreign = /^(ANTHROPIC_|CLAUDE|AWS|XDG_|OPENCODE|QWEN|npm_)/i;
  return {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name))),
    HOME: home,
    PWD: workspace, // opencode works there, not in its working directory
    ANTHROPIC_API_KEY: "offline",
    ANTHROPIC_BASE_URL: server.url,
    DO_NOT_TRACK: "1",
    HTTPS_PROXY: "http://127.0.0.1:9",
    HTTP_PROXY: "http://127.0.0.1:9",
    NO_PROXY: "127.0.0.1,localhost",
  };
}

async function write(folder: string, files: Record<string, unknown>): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    await mkdir(join(path, ".."), { recursive: true });
    await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
  }
}

function run(
  [program = "", ...args]: string[],
  { cwd, modules, env }: { cwd: string; modules?: string; env: NodeJS.ProcessEnv },
): Promise<{ output: string; ended: string }> {
  return new Promise((done) => {
    // A program given on the command line looks for its modules from where it runs.
    const isInline = args.includes("-e") && modules !== undefined;
    const child = spawn(program, args, {
      cwd: isInline ? modules : cwd,
      env,
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    const pieces: Buffer[] = [];
    child.stdout.on("data", (piece: Buffer) => pieces.push(piece));
    child.stderr.on("data", (piece: Buffer) => pieces.push(piece));
    const end = (ended: string): void => {
      clearTimeout(limit);
      done({ output: Buffer.concat(pieces).toString(), ended });
    };
    const limit = setTimeout(() => {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
      end(`ended after ${TIME_LIMIT / 1000} s`);
    }, TIME_LIMIT);
    child.on("error", (error) => end(error.message));
    child.on("exit", (code, signal) => end(`exit ${code ?? signal}`));
  });
}
