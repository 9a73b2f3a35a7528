/** What went wrong, in one line for people: the API's own words, without the JSON and the stack around them. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return `Error: ${String(error)}`;
  // The SDK's errors are known by their fields: two copies of the SDK have two classes of the same name.
  const { status, type, apiMessage } = error as { status?: number; type?: string | null; apiMessage?: string | null };
  if (type) return `API error${status === undefined ? "" : ` ${status}`} (${type}): ${apiMessage ?? error.message}${HINTS[type] ?? ""}`;
  const reason = rootCause(error);
  return `Error: ${error.message}${reason === error.message ? "" : ` (${reason})`}`;
}

const HINTS: Record<string, string> = {
  authentication_error: ". Is ANTHROPIC_API_KEY right?",
  not_found_error: ". Is MODEL_ID right?",
};

/** The message at the bottom: "fetch failed" says nothing, "ECONNREFUSED 127.0.0.1:9" does. */
function rootCause(error: Error): string {
  return error.cause instanceof Error ? rootCause(error.cause) : error.message;
}
