/** Requests that are no conversation: a title, a summary, a selection, an extraction; a forced call; a scripted prompt. */
import type { MessageCreateParams } from "@anthropic-ai/sdk/resources/messages";
import { reply, say, type Part, type Step } from "../script.ts";
import { toolsOf, type ToolCall } from "./hands.ts";
import { isRecord, records, fitting } from "./schema.ts";
import { textOf, untagged } from "./turn.ts";

/** The call that `tool_choice` demands by name. */
export function forcedCall(request: MessageCreateParams, text: string): ToolCall | undefined {
  const choice = request.tool_choice;
  const tool = choice?.type === "tool" ? toolsOf(request).find(({ name }) => name === choice.name) : undefined;
  const input = tool && fitting(tool.schema, text);
  return tool && { name: tool.name, input: isRecord(input) ? input : {} };
}

/** A text in the form that the request wants the last answer in. */
export function inForm(request: MessageCreateParams, text: string): string {
  const schema = request.output_config?.format?.schema;
  return isRecord(schema) ? JSON.stringify(fitting(schema, text)) : text;
}

/** The answer to a call that is no conversation; undefined when it is one. */
export function sideAnswer(request: MessageCreateParams): string | undefined {
  const said = records(request.messages)
    .map(({ content }) => textOf(content))
    .filter((text) => text.trim() !== "");
  const last = said.at(-1) ?? "";
  const hasTools = toolsOf(request).length > 0;
  if (
    /\bsummari[sz]e\b|\bsummary\b/i.test(edges(last)) &&
    /\b(?:conversation|session|transcript|chat|work so far|history)\b/i.test(edges(last)) &&
    !/\.\w{1,4}\b.{0,40}$/.test(last)
  ) {
    return summaryOf(said.join("\n"));
  }
  if (hasTools) return undefined;
  const order = `${textOf(request.system)}\n${edges(last)}`;
  if (/\btitle\b/i.test(order)) return titleOf(untagged(said[0] ?? "").replace(/^.*\btitle\b.*$/gim, "") || last);
  if (/\bextract/i.test(order)) return JSON.stringify(memoriesIn(said.join("\n")));
  if (/\bconsolidat|\bselect|\brelevant\b/i.test(order)) return "[]";
  return /\bsummar(?:i[sz]e|y)/i.test(order) ? summaryOf(said.join("\n")) : undefined;
}

/** Instructions stand before or behind the text they are about. */
const edges = (text: string): string => `${text.slice(0, 800)}\n${text.slice(-500)}`;

const titleOf = (text: string): string =>
  text
    .replaceAll(/["`<>]/g, "")
    .trim()
    .split(/\s+/)
    .slice(0, 7)
    .join(" ")
    .slice(0, 60)
    .toWellFormed() || "New conversation";

/** What the user asked to be remembered, as the memories of the course. */
function memoriesIn(text: string): { name: string; type: string; description: string; body: string }[] {
  const wishes = [
    ...text.matchAll(/(?:\bremember(?: that)?|请?记住|覚えて(?:おいて)?)[:：,，、]?\s*([^\n.。]{3,200})/gi),
  ];
  const bodies = [...new Set(wishes.map(([, body = ""]) => body.trim()))].slice(0, 5);
  return bodies.map((body) => ({ name: titleOf(body), type: "user", description: body, body }));
}

/** Facts of a text, far shorter than it: how it begins and ends, and the files it names. */
function summaryOf(text: string): string {
  const start = text.slice(0, 100_000);
  const lines = start.split("\n").flatMap((line) => line.trim() || []);
  const files = [...new Set(start.match(/[\w./-]*\w\.[a-z]{1,4}\b/g) ?? [])].slice(0, 10);
  const most = Math.max(20, Math.min(200, Math.floor(text.length / 8)));
  return [
    `Start: ${(lines[0] ?? "").slice(0, most)}`,
    ...(files.length > 0 ? [`Files: ${files.join(", ").slice(0, most)}`] : []),
    `End: ${(lines.at(-1) ?? "").slice(-most)}`,
  ]
    .join("\n")
    .toWellFormed();
}

/** `CALL bash {"command":"exit 3"} THEN SAY done`: the n-th step of a prompt that is a script. THINK goes before both. */
export function scripted(prompt: string, round: number): Step | undefined {
  if (!/^(?:THINK|CALL|SAY) /.test(prompt)) return undefined;
  const parts = prompt.split(/\s+THEN\s+/).map((words) => /^(THINK|CALL|SAY) ([^]*)$/.exec(words) ?? []);
  if (parts.some(({ length }) => length === 0)) return undefined;
  const steps: Part[][] = [[]];
  for (const [, order, rest = ""] of parts) {
    if (order === "THINK") steps.at(-1)?.push({ thinking: rest });
    else if (order === "SAY") steps.at(-1)?.push(rest);
    else {
      const [, name = "", input = ""] = /^(\S+)\s*([^]*)$/.exec(rest) ?? [];
      steps.at(-1)?.push(callOf(name, input));
      steps.push([]);
    }
  }
  const step = steps[round];
  return step && step.length > 0 ? reply(...step) : say("(the script has ended)");
}

/** Input that is no JSON is sent as it is: a harness has to bear that. */
function callOf(name: string, input: string): Part {
  try {
    return { name, input: JSON.parse(input || "{}") };
  } catch {
    return { name, input: {}, raw: input };
  }
}
