/** Requests that want an answer in a certain form: forced tool calls, and calls without tools (summaries, selections). */
import type { MessageCreateParams } from "@anthropic-ai/sdk/resources/messages";
import type { ToolCall } from "./hands.ts";
import { isRecord, records, textOf } from "./turn.ts";

/** The call that `tool_choice` demands: that tool, or any one, with the least input its schema takes. */
export function forcedCall(request: MessageCreateParams): ToolCall | undefined {
  const choice = request.tool_choice;
  if (choice?.type !== "tool") return undefined;
  return leastCall(request, choice.name);
}

/** A call of the tool of that name, or of the first there is, with the least input its schema takes. */
export function leastCall(request: MessageCreateParams, name?: string): ToolCall | undefined {
  const tool = records(request.tools).find((candidate) => name === undefined || candidate.name === name);
  if (typeof tool?.name !== "string") return undefined;
  const input = leastValue(tool.input_schema);
  return { name: tool.name, input: isRecord(input) ? input : {} };
}

/** The answer to a call without tools that is no conversation; undefined when it is one. */
export function sideAnswer(request: MessageCreateParams): string | undefined {
  const schema = request.output_config?.format?.schema;
  if (isRecord(schema)) return JSON.stringify(leastValue(schema));
  const messages = records(request.messages);
  const said = messages.map((message) => textOf(message.content)).filter((text) => text.trim() !== "");
  const order = `${textOf(request.system)}\n${edges(said.at(-1) ?? "")}`.toLowerCase();
  if (/\bextract|\bconsolidat|\bselect|\brelevant\b/.test(order)) return "[]";
  return /\bsummar(?:i[sz]e|y)/.test(order) ? summaryOf(said.join("\n")) : undefined;
}

/** Instructions stand before or behind the text they are about. */
const edges = (text: string): string => `${text.slice(0, 500)}\n${text.slice(-500)}`;

/** Facts of a text, far shorter than it: how it begins and ends, and the files it names. */
function summaryOf(text: string): string {
  const lines = text
    .slice(0, 100_000)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const files = [...new Set(text.slice(0, 100_000).match(/[\w./-]*\w\.[a-z]{1,4}\b/g) ?? [])].slice(0, 10);
  const most = Math.max(20, Math.min(200, Math.floor(text.length / 8)));
  return [
    `Start: ${(lines[0] ?? "").slice(0, most)}`,
    ...(files.length > 0 ? [`Files: ${files.join(", ").slice(0, most)}`] : []),
    `End: ${(lines.at(-1) ?? "").slice(-most)}`,
  ]
    .join("\n")
    .toWellFormed();
}

const DEEPEST = 20;

/** The least value that fits a JSON schema, as far as such schemas are used for tools. */
function leastValue(schema: unknown, root: unknown = schema, depth = 0): unknown {
  if (!isRecord(schema) || depth > DEEPEST) return null;
  if ("const" in schema) return schema.const;
  if ("default" in schema) return schema.default;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const inner = (part: unknown): unknown => leastValue(part, root, depth + 1);
  if (typeof schema.$ref === "string") return inner(resolve(root, schema.$ref));
  const choice = [schema.anyOf, schema.oneOf, schema.allOf].flatMap(records)[0];
  if (choice && schema.type === undefined) return inner(choice);
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case "string":
      return "none".padEnd(numberOf(schema.minLength, 0), ".").slice(0, numberOf(schema.maxLength, Infinity));
    case "integer":
    case "number":
      return numberOf(schema.minimum, numberOf(schema.exclusiveMinimum, -1) + 1);
    case "boolean":
      return false;
    case "array":
      return Array.from({ length: Math.min(100, numberOf(schema.minItems, 0)) }, () => inner(schema.items));
    case "null":
      return null;
    default: {
      const properties = isRecord(schema.properties) ? schema.properties : {};
      const required = Array.isArray(schema.required) ? schema.required.map(String) : [];
      return Object.fromEntries(required.map((name) => [name, inner(properties[name])]));
    }
  }
}

const numberOf = (value: unknown, otherwise: number): number => (typeof value === "number" ? value : otherwise);

/** What `#/$defs/Name` points at. */
function resolve(root: unknown, pointer: string): unknown {
  return pointer
    .split("/")
    .slice(1)
    .reduce<unknown>((place, key) => (isRecord(place) ? place[key] : undefined), root);
}
