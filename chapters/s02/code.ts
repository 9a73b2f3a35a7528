/** s02 · Tool use: a tool is a schema and a function in a registry. The loop does not change. */
import { mkdir } from "node:fs/promises";
import { dirname, relative, resolve } from "node:path";
import type { Tool as ToolDefinition, ToolResultBlockParam, ToolUseBlock } from "@anthropic-ai/sdk/resources/messages";
import glob from "fast-glob";
import { bash as runBash, createAgent as createLoopAgent, type Agent as LoopAgent } from "s01-agent-loop";
import type { AgentOptions } from "shared/agent-options";
import { runChapter } from "shared/chapter";
import { failure, toolResult, type ToolOutput } from "shared/conversation";
import { isInside, realPath } from "shared/workspace";
import writeFileAtomic from "write-file-atomic";
import { z } from "zod";
import { endOfLine, lineNumber, nearestLine, occurrences, readText } from "./text.ts";

/** A tool: what the model is told of it, and what runs when the model calls it. */
export interface Tool {
  definition: ToolDefinition;
  /** Answers the model; throws what it should know went wrong. */
  run(input: unknown): Promise<string | ToolOutput>;
}

/** An agent with a registry of tools. Adding a tool is adding an entry. */
export interface Agent extends LoopAgent {
  tools: Map<string, Tool>;
}

// ── the mechanism ────────────────────────────────────────────────────────────────────────────────────────────────────

/** Makes a tool of a schema and a function; the schema is both what the model reads and what its arguments must fit. */
export function defineTool<Input extends z.ZodType>(
  name: string,
  description: string,
  input: Input,
  run: (input: z.infer<Input>) => Promise<string | ToolOutput>,
): Tool {
  return {
    definition: { name, description, input_schema: { ...z.toJSONSchema(input, { io: "input" }), type: "object" } },
    async run(raw) {
      const { data, error } = input.safeParse(raw);
      if (error) throw new Error(`bad arguments for ${name}\n${z.prettifyError(error)}`);
      return run(data);
    },
  };
}

/**
 * Runs a call by its tool. An unknown tool, bad arguments or a failure is an answer that tells the model what to fix,
 * never an exception: that would end the turn.
 * @exercise Look the call's tool up by name and run it on the call's input; answer with `toolResult`. Where there is no
 * such tool, answer `failure` with the names there are. When the tool throws, answer `Error: ` and its message.
 */
export async function dispatch(tools: Map<string, Tool>, call: ToolUseBlock): Promise<ToolResultBlockParam> {
  const tool = tools.get(call.name);
  if (!tool) return toolResult(call, failure(`Error: no tool ${call.name}; there are ${[...tools.keys()].join(", ")}`));
  try {
    return toolResult(call, await tool.run(call.input));
  } catch (error) {
    return toolResult(call, failure(`Error: ${error instanceof Error ? error.message : String(error)}`));
  }
}

/**
 * Replaces one of an agent's three functions by one that is made of the old one, `next`.
 * @param layer its name, for those who want to see what an agent is made of
 */
export function wrap<Step extends "model" | "tool" | "turn">(
  agent: LoopAgent,
  step: Step,
  layer: string,
  around: (next: LoopAgent[Step]) => LoopAgent[Step],
): void {
  const next = agent[step];
  agent[step] = Object.assign(around(next), { layer, next });
}

/**
 * Adds a registry of tools to an agent, and gives the same agent back as one that has them: the model is offered all of
 * them, and what it calls is looked up there.
 */
export function toolUse(loop: LoopAgent, options: AgentOptions, list: Tool[]): Agent {
  const agent: Agent = Object.assign(loop, { tools: new Map(list.map((tool) => [tool.definition.name, tool])) });
  wrap(agent, "model", "tool schemas", (next) => (request) => {
    const tools = [...agent.tools.values()].map(({ definition }) => definition);
    return next({ tools, ...request });
  });
  wrap(agent, "tool", "dispatch", () => async (call) => {
    options.signal().throwIfAborted(); // after Ctrl-C nothing new starts
    return dispatch(agent.tools, call);
  });
  return agent;
}

// ── the tools ────────────────────────────────────────────────────────────────────────────────────────────────────────

export const bashTool = (options: AgentOptions) =>
  defineTool("bash", "Run a shell command.", z.object({ command: z.string() }), ({ command }) =>
    runBash(command, options),
  );

/** Says where a path of the model's leads, as an absolute path; throws when it must not be used. */
export type Locate = (path: string) => string;

/** Keeps paths in the workspace, wherever links lead. */
export const inWorkspace =
  ({ workspace }: AgentOptions): Locate =>
  (path) => {
    if (!isInside(workspace, path)) throw new Error(`${path} is outside the workspace`);
    return realPath(resolve(workspace, path));
  };

export const readFileTool = (locate: Locate) =>
  defineTool(
    "read_file",
    "Read a text file: all of it, or `limit` lines behind the first `offset` ones.",
    z.object({ path: z.string(), limit: z.int().positive().optional(), offset: z.int().nonnegative().optional() }),
    async ({ path, limit, offset = 0 }) => {
      const text = await readText(locate(path), path);
      if (limit === undefined && offset === 0) return text || "(empty file)";
      const lines = text.split("\n");
      const end = limit === undefined ? undefined : offset + limit;
      return lines.slice(offset, end).join("\n") || `(no lines there: ${path} has ${lines.length})`;
    },
  );

export const writeFileTool = (locate: Locate) =>
  defineTool(
    "write_file",
    "Write a file, making the folders it needs. Replaces what was there.",
    z.object({ path: z.string(), content: z.string() }),
    async ({ path, content }) => {
      const place = locate(path);
      await mkdir(dirname(place), { recursive: true });
      await writeFileAtomic(place, content);
      return `Wrote ${Buffer.byteLength(content)} bytes to ${path}`;
    },
  );

export const editFileTool = (locate: Locate) =>
  defineTool(
    "edit_file",
    "Replace a text in a file. It must be there exactly once: give enough of the lines around it.",
    z.object({ path: z.string(), old_text: z.string().min(1), new_text: z.string() }),
    async ({ path, old_text, new_text }) => {
      const place = locate(path);
      const text = await readText(place, path);
      const withLineEnds = endOfLine(text);
      const old = withLineEnds(old_text);
      const [at, ...others] = occurrences(text, old);
      if (at === undefined) throw new Error(`text not found${nearestLine(text, old)}`);
      if (others.length > 0) {
        const lines = [at, ...others].map((index) => lineNumber(text, index)).join(", ");
        throw new Error(`text found ${others.length + 1} times, in lines ${lines}; give more of the lines around it`);
      }
      await writeFileAtomic(place, text.slice(0, at) + withLineEnds(new_text) + text.slice(at + old.length));
      return `Edited ${path}`;
    },
  );

const MAX_PATHS = 2000;

export const globTool = ({ workspace }: AgentOptions) =>
  defineTool(
    "glob",
    "Find files by a pattern such as src/**/*.ts. Leaves out .git and node_modules unless the pattern names them.",
    z.object({ pattern: z.string().min(1) }),
    async ({ pattern }) => {
      const named = pattern.split(/[/{},]/);
      const ignore = [".git", "node_modules"].filter((name) => !named.includes(name)).map((name) => `**/${name}/**`);
      const found = await glob(pattern, { cwd: workspace, dot: true, ignore, followSymbolicLinks: false });
      const paths = found
        .filter((path) => isInside(workspace, path))
        .map((path) => relative(workspace, resolve(workspace, path)));
      const more = paths.length - MAX_PATHS;
      const list = paths.toSorted().slice(0, MAX_PATHS).join("\n") || "(no matches)";
      return more > 0 ? `${list}\n(${more} more; use a narrower pattern)` : list;
    },
  );

/** The tools that take a path. */
export const fileTools = (locate: Locate): Tool[] =>
  [readFileTool, writeFileTool, editFileTool].map((tool) => tool(locate));

export function createAgent(options: AgentOptions): Agent {
  return toolUse(createLoopAgent(options), options, [
    bashTool(options),
    ...fileTools(inWorkspace(options)),
    globTool(options),
  ]);
}

await runChapter(import.meta, createAgent);
