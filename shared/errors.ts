import { inspect } from "node:util";
import { z } from "zod";
import { shortened } from "./shorten.ts";

/** What the SDK puts on its errors. They are known by it: two copies of the SDK have two classes of the same name. */
const apiError = z.object({
  status: z.number().optional(),
  type: z.string(),
  apiMessage: z.string().nullish(),
});

/** What was thrown says of itself. Anything can be thrown, also what has no message and no `toString`. */
export const messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : typeof thrown === "string" ? thrown : inspect(thrown);

/** What went wrong, in one line for people: the API's own words, without the JSON and the stack around them. */
export function describeError(error: Error): string {
  const { data } = apiError.safeParse(error);
  if (!data) return oneLine(`Error: ${[...new Set(reasons(error))].join(": ")}`);
  const { status = "in a reply", type, apiMessage } = data;
  const message = apiMessage ?? error.message;
  return oneLine(`API error ${status} (${type}): ${message}`) + hint(type, message);
}

function hint(type: string, message: string): string {
  if (type === "authentication_error") return " – is ANTHROPIC_API_KEY right?";
  if (type !== "not_found_error") return "";
  return message.startsWith("model:") ? " – is MODEL_ID right?" : " – is ANTHROPIC_BASE_URL right? It ends before /v1";
}

const MAX_LENGTH = 300; // characters; a proxy may answer with a whole page

const oneLine = (text: string) => shortened(text.replaceAll(/\s+|\p{Cc}/gu, " "), MAX_LENGTH);

/** An error and what caused it: "fetch failed" alone says nothing, "ECONNREFUSED 127.0.0.1:9" after it does. */
const reasons = (error: Error): string[] => [
  error.message.replace(/\.$/, ""),
  ...(error.cause instanceof Error ? reasons(error.cause) : []),
];
