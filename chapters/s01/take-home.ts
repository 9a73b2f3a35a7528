/**
 * s01 to take home: a coding agent in one file. Copy it anywhere, `npm install @anthropic-ai/sdk`, set ANTHROPIC_API_KEY
 * (or ANTHROPIC_BASE_URL, for another server that speaks the Messages API), and run `npx tsx take-home.ts`.
 * Nothing guards its commands: run it where nothing can get lost.
 */
import { spawnSync } from "node:child_process";
import { createInterface } from "node:readline/promises";
import Anthropic from "@anthropic-ai/sdk";
import type { MessageParam, Tool, ToolResultBlockParam, ToolUseBlock } from "@anthropic-ai/sdk/resources/messages";

const client = new Anthropic();
const model = process.env.MODEL_ID ?? "claude-sonnet-5";
const system = `You are a coding agent at ${process.cwd()}. Use your tools; act, don't explain.`;
const bash: Tool = {
  name: "bash",
  description: "Run a shell command: in a new shell in the workspace, without input, 120 seconds at the most.",
  input_schema: { type: "object", properties: { command: { type: "string" } }, required: ["command"] },
};

/** Act: one call. A failure is an answer too: the model reads it and tries again. */
function run({ id, input }: ToolUseBlock): ToolResultBlockParam {
  const answer = (content: string, is_error = false): ToolResultBlockParam => ({
    type: "tool_result",
    tool_use_id: id,
    content: content.trim() || "(no output)",
    is_error,
  });
  const command = typeof input === "object" && input && "command" in input ? input.command : undefined;
  if (typeof command !== "string") return answer("Error: the one tool is bash {command}", true);
  console.log(`● bash ${command}`);
  const { stdout, stderr, status, error } = spawnSync(command, {
    shell: true,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 120_000,
    maxBuffer: 10_000_000,
  });
  const ending = error ? `[${error.message}]` : status === 0 ? "" : `[exit code ${status}]`;
  return answer([stdout, stderr, ending].filter(Boolean).join("\n").slice(0, 50_000), status !== 0);
}

/** One turn: think and act until the model asks for no tool. */
async function turn(messages: MessageParam[]): Promise<void> {
  while (true) {
    const { content, stop_reason } = await client.messages.create({
      model,
      system,
      messages,
      tools: [bash],
      max_tokens: 8000,
    });
    for (const block of content) if (block.type === "text") console.log(block.text);
    const cutOff = stop_reason === "max_tokens"; // then a call may be incomplete, and must not run
    const kept = content.filter((block) => (block.type !== "text" ? !cutOff : block.text.trim() !== ""));
    if (kept.length > 0) messages.push({ role: "assistant", content: kept });
    const calls = kept.filter((block) => block.type === "tool_use");
    if (calls.length === 0) return;
    messages.push({ role: "user", content: calls.map(run) }); // user: [tool_result…], one for each call
  }
}

const messages: MessageParam[] = [];
const lines = createInterface({ input: process.stdin, output: process.stdout, prompt: ">> " });
lines.prompt();
for await (const line of lines) {
  if (line.trim()) messages.push({ role: "user", content: line });
  if (line.trim()) await turn(messages).catch((error: unknown) => console.error(String(error)));
  lines.prompt();
}
