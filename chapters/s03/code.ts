/** s03 · Permission: a gate in front of every tool call. Deny, ask or allow. */
import { homedir } from "node:os";
import type { ToolUseBlock } from "@anthropic-ai/sdk/resources/messages";
import { bashInput } from "s01-agent-loop";
import { createAgent as createToolAgent, fileTools, wrap, type Agent, type Locate } from "s02-tool-use";
import type { AgentOptions } from "shared/agent-options";
import { runChapter } from "shared/chapter";
import { failure, toolResult } from "shared/conversation";
import { absolutePath, isInside, realPath } from "shared/workspace";
import { z } from "zod";
import { isDevice } from "./paths.ts";
import type { Finding } from "./rules.ts";

/** What the rules say of a call: what must never run, and what the user is asked about. Nothing: it may run. */
export async function judgeCall(call: ToolUseBlock, { options: { workspace }, tools }: Agent): Promise<Finding[]> {
  const command = commandOf(call);
  if (command !== undefined) {
    const { judgeCommand } = await import("./rules.ts"); // with a parser: the first prompt should not wait for it
    return judgeCommand(command, { workspace, home: homedir() });
  }
  const { data } = z.object({ path: z.string() }).safeParse(call.input);
  const access = tools.get(call.name)?.path;
  if (!access || !data || isInside(workspace, data.path)) return [];
  const doing = { read: "reading", write: "writing" }[access];
  const place = realPath(absolutePath(workspace, data.path)); // a link may hide where it leads
  const rule = `${doing} outside the workspace`;
  const verdict = doing === "writing" && isDevice(place) ? "deny" : "ask";
  return [{ verdict, rule, reason: `${rule}: ${JSON.stringify(place)}` }];
}

/** The command line of a bash call. Arguments that are no such thing are refused by the tool. */
function commandOf({ name, input }: ToolUseBlock): string | undefined {
  return name === "bash" ? bashInput.safeParse(input).data?.command : undefined;
}

/** Says why a call must not run, or nothing when it may. Rejects when the turn is interrupted meanwhile. */
export type Gate = (call: ToolUseBlock, agent: Agent, signal: AbortSignal) => Promise<string | undefined>;

/**
 * Three gates in a row: what is never allowed, what has to be asked, and the user. What the user opens stays open for as
 * long as this gate.
 * @exercise Judge the call. A `deny` is answered `Permission denied: ` and its reason, without a question. Put what is to
 * be asked, but for rules that the user has opened, in one question (`ask`): a line with all reasons; for
 * bash the whole command as `  $ …`, each further line of it as `  > …`; then `  Allow? [y]es, [a]lways (the rules),
 * [N]o: `. `y` or `yes` lets this call through, `a` or `always` also opens its rules for later calls. All else, and no
 * answer at all, is a denial: `Permission denied: `, the reasons, and `the user said no` or `nobody answered`.
 */
export function gate(judge = judgeCall): Gate {
  const opened = new Set<string>();

  return async (call, agent, signal) => {
    const findings = await judge(call, agent);
    const never = findings.find(({ verdict }) => verdict === "deny");
    if (never) return `Permission denied: ${never.reason}`;

    const asked = findings.filter(({ rule }) => !opened.has(rule));
    if (asked.length === 0) return undefined;
    const reasons = asked.map(({ reason }) => reason).join("; ");
    const command = commandOf(call); // all of it: what is asked about may stand in the middle of a long line
    const rules = asked.map(({ rule }) => rule).join(", ");
    const shown = command === undefined ? "" : `  $ ${command.replaceAll("\n", "\n  > ")}\n`;
    const question = `⚠ ${reasons}\n${shown}  Allow? [y]es, [a]lways (${rules}), [N]o: `;
    const answer = await agent.options.ask(question, signal);
    const choice = answer?.trim().toLowerCase();
    if (choice === "a" || choice === "always") for (const { rule } of asked) opened.add(rule);
    else if (choice !== "y" && choice !== "yes")
      return `Permission denied: ${reasons}; ${answer === undefined ? "nobody answered" : "the user said no"}`;
    return undefined;
  };
}

/** Finds a path wherever it leads. Only for tools behind a gate that asks before each path outside the workspace. */
export const resolveAnyPath =
  (options: AgentOptions): Locate =>
  (path) =>
    realPath(absolutePath(options.workspace, path));

/** Lets the file tools that an agent has leave the workspace. */
export function leaveWorkspace({ tools, options }: Agent): void {
  for (const tool of fileTools(options, resolveAnyPath(options))) {
    if (tools.has(tool.definition.name)) tools.set(tool.definition.name, tool);
  }
}

/** Puts the gate in front of every tool call of an agent. */
export function permission(agent: Agent): void {
  const refuse = gate();
  wrap(agent, "tool", "permission", async (call, next) => {
    const reason = await refuse(call, agent, agent.options.signal());
    return reason === undefined ? next(call) : toolResult(call, failure(reason));
  });
  leaveWorkspace(agent);
}

/** The agent of this chapter: the one of s02 behind a gate. */
export function createAgent(options: AgentOptions): Agent {
  const agent = createToolAgent(options);
  permission(agent);
  return agent;
}

await runChapter(import.meta, createAgent);
