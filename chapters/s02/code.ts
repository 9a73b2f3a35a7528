/** s02 · Tool use: a tool is a schema and a function in a registry. The loop does not change. */
import type { Tool as ToolDefinition, ToolResultBlockParam, ToolUseBlock } from "@anthropic-ai/sdk/resources/messages";
import { BASH, bash, bashInput, createAgent as createLoopAgent, type Agent as LoopAgent } from "s01-agent-loop";
import type { AgentOptions } from "shared/agent-options";
import { runChapter } from "shared/chapter";
import { failure, toolResult, type ToolOutput } from "shared/conversation";
import { absolutePath, isInside, realPath } from "shared/workspace";
import { z } from "zod";
import { findFiles } from "./find-files.ts";
import { changeText, endOfLine, nearestLine, occurrences, readText, severalPlaces, writeText } from "./text.ts";

/** A tool: what the model is told of it, and what runs when the model calls it. */
export interface Tool {
  definition: ToolDefinition;
  /** Answers the model; throws what it should know went wrong. */
  run(input: unknown): Promise<string | ToolOutput>;
}

/** An agent with a registry of tools, by name. Adding a tool is adding an entry. */
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
 * not an exception: that would end the turn. Rejects only with the signal's reason.
 * @exercise Look the call's tool up by name and run it on the call's input; answer with `toolResult`. Where there is no
 * such tool, the result is a `failure` that begins with `Error: ` and names it and those there are; when the tool throws,
 * `Error: ` and its message. Before that, and when it throws, let an aborted signal end the turn (`throwIfAborted`).
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
    return toolResult(call, await tool.run(call.input));
  } catch (error) {
    signal.throwIfAborted();
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

/** A registry of these tools. */
export const registry = (...tools: Tool[]): Map<string, Tool> =>
  new Map(tools.map((tool) => [tool.definition.name, tool]));

/** Lets an agent use its registry: the model is offered all tools in it, and what it calls is looked up there. */
export function toolUse(agent: Agent, { signal }: Pick<AgentOptions, "signal">): void {
  wrap(agent, "model", "tool schemas", (next) => (request) => {
    const tools = [...agent.tools.values()].map(({ definition }) => definition);
    return next({ tools, ...request });
  });
  wrap(agent, "tool", "dispatch", () => (call) => dispatch(agent.tools, call, signal()));
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
export const readFileTool = (locate: Locate): Tool =>
  defineTool(
    "read_file",
    "Read a text file. Skips `offset` lines and gives `limit` lines; without them all of it.",
    z.object({ path: nonEmpty, limit: z.int().positive().optional(), offset: z.int().nonnegative().optional() }),
    async ({ path, limit, offset = 0 }) => {
      const text = await readText(locate(path), path);
      if (text === "") return "(empty file)";
      const lines = text.split("\n");
      const part = lines.slice(offset, limit === undefined ? undefined : offset + limit);
      if (part.length === 0) return `(past the end: ${path} has ${lines.length} lines)`;
      const answer = part.join("\n");
      if (answer.length <= MAX_ANSWER) return answer;
      throw new Error(`${path} is too long for one answer (${lines.length} lines): give offset and limit, or use bash`);
    },
  );

/** Writes a file, also where there is none yet. */
export const writeFileTool = (locate: Locate, { signal }: Pick<AgentOptions, "signal">): Tool =>
  defineTool(
    "write_file",
    "Write a file, making the folders it needs. Replaces what was there.",
    z.object({ path: nonEmpty, content: z.string() }),
    async ({ path, content }) => {
      await writeText(locate(path), path, signal(), content);
      return `Wrote ${Buffer.byteLength(content)} bytes to ${path}`;
    },
  );

/** Replaces one place in a file. */
export const editFileTool = (locate: Locate, { signal }: Pick<AgentOptions, "signal">): Tool =>
  defineTool(
    "edit_file",
    "Replace a text in a file. It must be there exactly once: give enough of the lines around it.",
    z.object({ path: nonEmpty, old_text: nonEmpty, new_text: z.string() }),
    async ({ path, old_text, new_text }) => {
      if (old_text === new_text) throw new Error("old_text and new_text are the same: nothing would change");
      await changeText(locate(path), path, signal(), (text) => {
        const withLineEnds = endOfLine(text);
        const old = withLineEnds(old_text);
        const [at, ...others] = occurrences(text, old);
        if (at === undefined) throw new Error(`text not found${nearestLine(text, old)}`);
        if (others.length > 0) throw new Error(severalPlaces(text, [at, ...others]));
        return text.slice(0, at) + withLineEnds(new_text) + text.slice(at + old.length);
      });
      return `Edited ${path}`;
    },
  );

const MAX_PATHS = 2000;

/** Finds files of the workspace by a pattern. */
export const globTool = (options: AgentOptions): Tool =>
  defineTool(
    "glob",
    "Find files by a pattern such as src/**/*.ts. Leaves out .git and node_modules unless the pattern names them.",
    z.object({ pattern: nonEmpty }),
    async ({ pattern }) => {
      const paths = await findFiles(pattern, options.workspace, options.signal());
      const more = paths.length - MAX_PATHS;
      const list = paths.slice(0, MAX_PATHS).join("\n") || "(no matches)";
      return more > 0 ? `${list}\n(${more} more; use a narrower pattern)` : list;
    },
  );

/** The tools that take a path. */
export const fileTools = (options: AgentOptions, locate = inWorkspace(options)): Tool[] => [
  readFileTool(locate),
  writeFileTool(locate, options),
  editFileTool(locate, options),
];

/** The agent of this chapter: the one of s01, and five tools in a registry. */
export function createAgent(options: AgentOptions): Agent {
  const tools = registry(bashTool(options), ...fileTools(options), globTool(options));
  const agent: Agent = Object.assign(createLoopAgent(options), { tools });
  toolUse(agent, options);
  return agent;
}

await runChapter(import.meta, createAgent);
