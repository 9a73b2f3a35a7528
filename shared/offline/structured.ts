/** Structured output: JSON that fits a schema, whatever the model says. */
import { fits, resolved } from "./rules/json-schema.ts";
import { isObject } from "./rules/shape.ts";

/** The text itself when it is JSON that fits, else the least value that does; the text is its first free string. */
export function jsonFor(schema: unknown, text: string): string {
  const bare = text.replace(/^\s*```(?:json)?\s*\n([\s\S]*?)\n```\s*$/, "$1");
  const said = parsed(bare);
  if (said !== undefined && fits(said, schema)) return bare;
  const words = [text];
  return JSON.stringify(leastValue(schema, { root: schema, nextWords: () => words.shift() ?? "" }));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface Source {
  root: unknown;
  nextWords: () => string;
}

const MAX_DEPTH = 12;

function leastValue(schema: unknown, source: Source, depth = 0): unknown {
  if (!isObject(schema) || depth > MAX_DEPTH) return null;
  if (typeof schema.$ref === "string") return leastValue(resolved(schema.$ref, source.root), source, depth + 1);
  if ("const" in schema) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if ("default" in schema && schema.type !== "string") return schema.default;
  for (const parts of [schema.anyOf, schema.oneOf]) {
    if (Array.isArray(parts)) return leastValue(simplest(parts), source, depth + 1);
  }
  if (Array.isArray(schema.allOf)) {
    const { allOf, ...own } = schema;
    return leastValue(Object.assign({}, ...allOf, own), source, depth + 1);
  }
  return leastOfType([schema.type].flat()[0], schema, source, depth);
}

/** A way to end comes before one that goes on. */
function simplest(parts: unknown[]): unknown {
  const ends = (part: unknown): boolean => isObject(part) && typeof part.type === "string" && part.type !== "object";
  return parts.find((part) => ends(part) && isObject(part) && part.type !== "null") ?? parts.find(ends) ?? parts[0];
}

function leastOfType(type: unknown, schema: Record<string, unknown>, source: Source, depth: number): unknown {
  switch (type) {
    case "string":
      return typeof schema.format === "string" ? (FORMATS.get(schema.format) ?? "") : leastText(schema, source);
    case "integer":
    case "number":
      return leastNumber(schema);
    case "boolean":
      return false;
    case "array": {
      const least = typeof schema.minItems === "number" ? schema.minItems : 0;
      return Array.from({ length: least }, () => leastValue(schema.items, source, depth + 1));
    }
    case "null":
      return null;
    default:
      return leastObject(schema, source, depth);
  }
}

function leastText({ minLength = 0, maxLength = Infinity }: Record<string, unknown>, { nextWords }: Source): string {
  return nextWords().slice(0, Number(maxLength)).padEnd(Number(minLength), ".");
}

function leastNumber({ minimum, exclusiveMinimum, maximum, multipleOf }: Record<string, unknown>): number {
  if (typeof minimum === "number")
    return typeof multipleOf === "number" ? Math.ceil(minimum / multipleOf) * multipleOf : minimum;
  if (typeof exclusiveMinimum === "number") return exclusiveMinimum + (typeof multipleOf === "number" ? multipleOf : 1);
  return typeof maximum === "number" ? Math.min(0, maximum) : 0;
}

function leastObject({ properties, required }: Record<string, unknown>, source: Source, depth: number): unknown {
  const all = isObject(properties) ? properties : {};
  const needed = Array.isArray(required) ? required.map(String) : [];
  return Object.fromEntries(needed.map((key) => [key, leastValue(all[key], source, depth + 1)]));
}

const FORMATS = new Map([
  ["date", "2026-01-01"],
  ["time", "00:00:00Z"],
  ["date-time", "2026-01-01T00:00:00Z"],
  ["duration", "PT0S"],
  ["email", "nobody@example.com"],
  ["hostname", "example.com"],
  ["uri", "https://example.com"],
  ["ipv4", "127.0.0.1"],
  ["ipv6", "::1"],
  ["uuid", "00000000-0000-4000-8000-000000000000"],
]);
