/** s02 · Tool use: a tool is a schema and a function in a registry. The loop does not change. */
import type { Tool as ToolDefinition, ToolResultBlockParam, ToolUseBlock } from "@anthropic-ai/sdk/resources/messages";
import {
  BASH,
  agentLoop,
  bash,
  bashInput,
  createAgent as createLoopAgent,
  type Agent as LoopAgent,
} from "s01-agent-loop";
import { unlessAborted } from "shared/abort";
import type { AgentOptions } from "shared/agent-options";
import { runChapter } from "shared/chapter";
import { send } from "shared/connection";
import { failure, joinSections, toolResult, type ToolOutput } from "shared/conversation";
import { messageOf } from "shared/errors";
import { watched } from "shared/events";
import { absolutePath, isInside, realPath } from "shared/workspace";
import { z } from "zod";
import { nearestLine, occurrences, replaceAt, severalPlaces } from "./edits.ts";
import { findFiles } from "./find-files.ts";
import { callThrough, type Layers } from "./layers.ts";
import { textFiles, type TextFiles } from "./text.ts";

/** A tool: what the model is told of it, and what runs when the model calls it. */
export interface Tool {
  definition: ToolDefinition;
  /** Answers the model; throws what it should know went wrong. */
  run(input: unknown, call: RunningCall): Promise<string | ToolOutput>;
  /** What it does with the file that its argument `path` names, when it names one of this machine. */
  path?: "read" | "write";
}

/** Of the call that a tool runs for: its id, and the signal that ends it. */
export type RunningCall = Pick<ToolUseBlock, "id"> & { signal: AbortSignal };

/** An agent with a registry of tools, by name. Adding a tool is adding an entry. */
export interface Agent extends LoopAgent {
  tools: Map<string, Tool>;
  /** What stands around each of its functions. Adding a mechanism is adding a layer. */
  layers: Layers;
}

// ── the mechanism ────────────────────────────────────────────────────────────────────────────────────────────────────

/** Makes a tool of a schema and a function; the schema is both what the model reads and what its arguments must fit. */
export function defineTool<Input extends z.ZodType>(
  name: string,
  description: string,
  input: Input,
  run: (input: z.infer<Input>, call: RunningCall) => Promise<string | ToolOutput>,
  path?: "read" | "write",
): Tool {
  return {
    ...(path && { path }),
    definition: { name, description, input_schema: { ...z.toJSONSchema(input, { io: "input" }), type: "object" } },
    async run(raw, call) {
      const { data, error } = input.safeParse(raw);
      if (error) throw new Error(`bad arguments for ${name}\n${z.prettifyError(error)}`);
      return run(data, call);
    },
  };
}

const GRACE = 1000; // ms after Ctrl-C, for a tool to end by itself and say what there is

/**
 * Runs a call by its tool. An unknown tool, bad arguments or a failure is an answer that tells the model what to fix,
 * not an exception: that would end the turn. Rejects only with the signal's reason.
 * @exercise Look the call's tool up by name and run it on the call's input; answer with `toolResult`. Where there is no
 * such tool, the result is a `failure` that begins with `Error: ` and names it and those there are; when the tool throws
 * (anything can be thrown), `Error: ` and its message (`messageOf`). Before that, and when it throws, let an aborted signal end the turn (`throwIfAborted`).
 */
export async function dispatch(
  tools: Map<string, Tool>,
  call: ToolUseBlock,
  signal: AbortSignal,
): Promise<ToolResultBlockParam> {
  signal.throwIfAborted(); // after Ctrl-C nothing new starts
  const tool = tools.get(call.name);
  if (!tool) return toolResult(call, failure(`Error: no tool ${call.name}; there are ${[...tools.keys()].join(", ")}`));
  try {
    const running = tool.run(call.input, { id: call.id, signal });
    return toolResult(call, await unlessAborted(signal, running, GRACE)); // a tool that hangs is left to itself
  } catch (error) {
    signal.throwIfAborted();
    return toolResult(call, failure(`Error: ${messageOf(error)}`));
  }
}

// ── the tools ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** The tool of s01 in its new form. */
export const bashTool = (options: AgentOptions): Tool =>
  defineTool(BASH.name, BASH.description, bashInput, ({ command }) => bash(command, options));

/** Says where a path of the model's leads, as an absolute path; throws when it must not be used. */
export type Locate = (path: string) => string;

/** Keeps paths in the workspace, wherever links lead. */
export const inWorkspace =
  (options: AgentOptions): Locate =>
  (path) => {
    if (!isInside(options.workspace, path)) throw new Error(`${path} is outside the workspace`);
    return realPath(absolutePath(options.workspace, path));
  };

const nonEmpty = z.string().min(1);
const MAX_ANSWER = 200_000; // characters: more would leave no room for the conversation

/** Reads a text file, or a part of it. */
export const readFileTool = (locate: Locate, files: TextFiles): Tool =>
  defineTool(
    "read_file",
    "Read a text file. Skips `offset` lines and gives `limit` lines; without them all of it.",
    z.object({ path: nonEmpty, limit: z.int().positive().optional(), offset: z.int().nonnegative().optional() }),
    async ({ path, limit, offset = 0 }) => {
      const text = await files.read(locate(path), path);
      const lines = text.split("\n");
      const part = lines.slice(offset, limit === undefined ? undefined : offset + limit);
      if (part.length === 0) return `(past the end: ${path} has ${lines.length} lines)`;
      const answer = part.join("\n");
      const size = `${lines.length} lines`;
      if (answer.length > MAX_ANSWER)
        throw new Error(`${path} is too long for one answer (${size}): give offset and limit, or use bash`);
      files.saw(locate(path), text, part.length === lines.length ? "all" : "a part");
      return text === "" ? "(empty file)" : answer;
    },
    "read",
  );

/** Writes a file, also where there is none yet. */
export const writeFileTool = (locate: Locate, files: TextFiles): Tool =>
  defineTool(
    "write_file",
    "Write a file, making the folders it needs. Replaces what was there, unless it changed since you read it.",
    z.object({ path: nonEmpty, content: z.string() }),
    async ({ path, content }, { signal }) => {
      await files.write(locate(path), path, content, signal);
      return `Wrote ${Buffer.byteLength(content)} bytes to ${path}`;
    },
    "write",
  );

/** Replaces one place in a file. */
export const editFileTool = (locate: Locate, files: TextFiles): Tool =>
  defineTool(
    "edit_file",
    "Replace a text in a file. It must be there exactly once: give enough of the lines around it.",
    z.object({ path: nonEmpty, old_text: nonEmpty, new_text: z.string() }),
    async ({ path, old_text, new_text }, { signal }) => {
      const replace = (text: string) => {
        const [at, ...others] = occurrences(text, old_text);
        if (at === undefined) throw new Error(`text not found${nearestLine(text, old_text)}`);
        if (others.length > 0) throw new Error(severalPlaces(text, [at, ...others]));
        return replaceAt(text, at, old_text, new_text);
      };
      await files.change(locate(path), path, replace, signal);
      return `Edited ${path}`;
    },
    "write",
  );

const MAX_PATHS = 2000;

/** Finds files of the workspace by a pattern. */
export const globTool = (options: AgentOptions): Tool =>
  defineTool(
    "glob",
    "Find files by a pattern such as src/**/*.ts. Leaves out .git and node_modules unless the pattern names them.",
    z.object({ pattern: nonEmpty }),
    async ({ pattern }, { signal }) => {
      const paths = await findFiles(pattern, options.workspace, signal, MAX_PATHS + 1);
      const list = paths.slice(0, MAX_PATHS).join("\n") || "(no matches)";
      return paths.length > MAX_PATHS ? `${list}\n(and more: use a narrower pattern)` : list;
    },
  );

/** The tools that take a path. All of them know what the model has seen of each file. */
export const fileTools = (options: AgentOptions, locate = inWorkspace(options), files = textFiles()): Tool[] => [
  readFileTool(locate, files),
  writeFileTool(locate, files),
  editFileTool(locate, files),
];

/** The five tools. A subagent, say, gets others. */
const allTools = (options: AgentOptions): Tool[] => [bashTool(options), ...fileTools(options), globTool(options)];

/** The agent of this chapter: the one of s01, but what it offers and runs is what stands in its registry. */
export function createAgent(options: AgentOptions, tools = allTools(options)): Agent {
  const agent: Agent = {
    ...createLoopAgent(options),
    tools: new Map(tools.map((tool) => [tool.definition.name, tool])),
    layers: {
      model: [{ name: "send", run: async (request) => send(options, { ...(await offer(agent)), ...request }) }],
      tool: [{ name: "dispatch", run: (call) => dispatch(agent.tools, call, options.signal()) }],
      turn: [{ name: "loop", run: (messages) => agentLoop(watched(agent), messages) }],
    },
    model: (request) => callThrough(agent.layers.model, request),
    tool: (call) => callThrough(agent.layers.tool, call),
    turn: (messages) => callThrough(agent.layers.turn, messages),
  };
  return agent;
}

/** What an agent sends along with the conversation: who it is, and all tools in its registry. */
const offer = async ({ prompt, tools }: Agent) => ({
  system: await joinSections(prompt),
  tools: [...tools.values()].map(({ definition }) => definition),
});

export { unwrap, wrap } from "./layers.ts";

await runChapter(import.meta, createAgent);
