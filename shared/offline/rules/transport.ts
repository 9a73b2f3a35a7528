/** Section A: credentials, headers, size, and strict JSON. */
import type { IncomingHttpHeaders } from "node:http";
import { ApiError, refuse } from "./shape.ts";

const VERSIONS = new Set(["2023-01-01", "2023-06-01", "2026-10-21"]);
export const MAX_BODY_BYTES = 32 * 1024 * 1024;

/** R1–R4: returns the API version and the betas that the request asks for. `apiKey`: the one accepted key; any when undefined. */
export function checkHeaders(
  headers: IncomingHttpHeaders,
  apiKey: string | undefined,
): { version: string; betas: string[] } {
  checkKey(headers, apiKey);
  const version = headers["anthropic-version"];
  if (typeof version !== "string" || version === "") refuse("anthropic-version: header is required");
  if (!VERSIONS.has(version)) refuse(`anthropic-version: "${version}" is not a valid version`);
  return { version, betas: betasOf(headers["anthropic-beta"]) };
}

/** Unknown names pass: the API knows more of them than any list. An empty one is a fault. */
function betasOf(header: string | string[] | undefined): string[] {
  if (header === undefined) return [];
  const betas = [header].flat().join(",").split(",");
  const names = betas.map((beta) => beta.trim());
  if (names.includes("")) refuse("Unexpected value(s) `` for the `anthropic-beta` header.");
  return names;
}

/** R1–R3; where both credentials come, `x-api-key` is the one that counts. */
function checkKey(headers: IncomingHttpHeaders, apiKey: string | undefined): void {
  const key = headers["x-api-key"];
  const bearer = /^Bearer\s+(.*)$/i.exec(headers.authorization ?? "")?.[1];
  const given = key ?? bearer;
  if (!given) throw new ApiError(401, "authentication_error", "x-api-key header is required");
  if (apiKey === undefined || given === apiKey) return;
  throw new ApiError(401, "authentication_error", key === undefined ? "Invalid bearer token" : "invalid x-api-key");
}

/** What came as a body; `bytes` are incomplete when there were more than `MAX_BODY_BYTES`. */
export interface Body {
  bytes: Buffer;
  size: number;
}

/** R5, R6: refuses a body that is too large, not UTF-8, not JSON, or that holds half of a surrogate pair. */
export function parseBody({ bytes, size }: Body, headers: IncomingHttpHeaders): unknown {
  if (size > MAX_BODY_BYTES) throw new ApiError(413, "request_too_large", "Request exceeds the maximum size");
  if (!/^application\/json\b/i.test(headers["content-type"] ?? "")) {
    refuse("content-type: Input should be 'application/json'");
  }
  const text = decode(bytes);
  checkSurrogates(text);
  try {
    return JSON.parse(text);
  } catch (error) {
    return refuse(`The request body is not valid JSON: ${error instanceof Error ? error.message : "unreadable"}`);
  }
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return refuse("The request body is not valid JSON: invalid UTF-8");
  }
}

/** `JSON.parse` takes a lone surrogate; the API does not. */
function checkSurrogates(text: string): void {
  if (!text.includes("\\u")) return;
  for (const { 0: escape, index } of text.matchAll(ESCAPES)) {
    if (!/^\\u[dD][89a-fA-F]../.test(escape) || escape.length === PAIR_LENGTH) continue;
    const before = text.slice(0, index);
    const line = before.split("\n").length;
    const column = index - before.lastIndexOf("\n");
    refuse(
      `The request body is not valid JSON: no low surrogate in string: line ${line} column ${column} (char ${index})`,
    );
  }
}

/** A whole pair, one UTF-16 unit, or any other escape. */
const ESCAPES = /\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\./gs;
const PAIR_LENGTH = String.raw`\ud83d\ude00`.length;
