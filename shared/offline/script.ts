/** What the offline server answers: the words in which tests and the offline model say it. */
import type { MessageCreateParams, StopReason } from "@anthropic-ai/sdk/resources/messages";
import { setTimeout } from "node:timers/promises";

/**
 * A call of a tool. `id`: made by the server unless given; null leaves it out, as some compatible endpoints do.
 * `raw`: sent in place of the input's JSON, for input that is not JSON.
 */
export interface CallPart {
  name: string;
  input: unknown;
  id?: string | null;
  raw?: string;
}

/** A part of a reply: text, a call, thinking, or any block as it goes over the wire. */
export type Part = string | CallPart | { thinking: string } | { redacted: string } | { block: WireBlock };

export const isCall = (part: Part): part is CallPart => typeof part === "object" && "name" in part;

/** A block of a kind that the server makes nothing of. */
export interface WireBlock {
  type: string;
  [field: string]: unknown;
}

export interface Reply {
  kind: "reply";
  parts: Part[];
  /** Default: `tool_use` when there is a call, else `end_turn`. */
  stop?: StopReason;
  /** The last part is cut in the middle of its text or of its input's JSON. */
  inside?: boolean;
  /** How the answer breaks after its first half: the socket closes, an error event comes, or nothing until `wait` ends. */
  midway?: "drop" | "wait" | ApiFault;
}

export interface Failure {
  kind: "fail";
  status: number;
  type?: string;
  message?: string;
  headers?: Record<string, string>;
}

export interface ApiFault {
  type: string;
  message: string;
}

/** One answer of the model, one failure of the API, or a closed socket. `wait` comes before it; the signal: the client left. */
export type Step = (Reply | Failure | { kind: "drop" }) & { wait?: (left: AbortSignal) => Promise<unknown> };

/** Decides what to answer. A scripted one uses up its steps; the offline model is a pure function of the request. */
export type Model = (request: MessageCreateParams) => Step | Promise<Step>;

export const reply = (...parts: Part[]): Reply => ({ kind: "reply", parts });
export const say = (text: string): Reply => reply(text);
export const call = (name: string, input: unknown = {}, id?: string): Reply =>
  reply({ name, input, ...(id !== undefined && { id }) });
export const callWithoutId = (name: string, input: unknown = {}): Reply => reply({ name, input, id: null });
/** A call whose input is this text, which is not JSON. */
export const brokenInput = (name: string, raw: string): Reply => reply({ name, input: {}, raw });
/** Thinking, then the parts. */
export const think = (thinking: string, ...parts: Part[]): Reply => reply({ thinking }, ...parts);
/** `end_turn` with no content at all. */
export const sayNothing = (): Reply => reply();

/** The reply ends at `max_tokens`; with `inside` in the middle of its last block. */
export const cutOff = (step: Reply, { inside = false } = {}): Reply => ({ ...step, stop: "max_tokens", inside });

/** An error answer; type and message are the API's own for that status unless given. `retryAfter` in seconds. */
export function fail(
  status: number,
  { message, type, retryAfter }: { message?: string; type?: string; retryAfter?: number } = {},
): Failure {
  const headers = retryAfter === undefined ? undefined : { "retry-after": String(retryAfter) };
  return { kind: "fail", status, ...(type && { type }), ...(message && { message }), ...(headers && { headers }) };
}

export const promptTooLong = (): Failure =>
  fail(400, { message: "prompt is too long: 213462 tokens > 200000 maximum" });
/** The socket closes before any answer. */
export const dropConnection = (): Step => ({ kind: "drop" });
/** The socket closes after half of the answer. */
export const dropMidway = (step: Reply): Reply => ({ ...step, midway: "drop" });
/** An error event after half of the answer. */
export const errorMidStream = (
  step: Reply,
  { type = "overloaded_error", message = "Overloaded" }: Partial<ApiFault> = {},
): Reply => ({ ...step, midway: { type, message } });

/**
 * Keeps the client waiting until `release()` or until it leaves: before the answer or, with `midway`, after half of it.
 * `reached` resolves when the client waits.
 */
export function stall<S extends Step>(
  step: S,
  { midway = false } = {},
): S & { wait: () => Promise<void>; reached: Promise<void>; release: () => void } {
  const reached = signalled();
  const released = signalled();
  const wait = (): Promise<void> => {
    reached.resolve();
    return released.promise;
  };
  return { ...step, ...(midway && { midway: "wait" }), wait, reached: reached.promise, release: released.resolve };
}

/** Keeps the client waiting for so many ms: for people who want to watch. */
export function stallFor<S extends Step>(step: S, ms: number): S & Pick<Step, "wait"> {
  return { ...step, wait: (left) => setTimeout(ms, undefined, { signal: left, ref: false }) };
}

/** A model that takes these steps in order; a function among them sees the request. After the last one it answers a 500. */
export function script(steps: readonly (Step | Model)[]): Model {
  const rest = [...steps];
  return (request) => {
    const next = rest.shift() ?? scriptHasEnded;
    return typeof next === "function" ? next(request) : next;
  };
}

const scriptHasEnded: Failure = {
  kind: "fail",
  status: 500,
  message: "the script has ended: the test gave no step for this request",
  // The SDK would try again, and again.
  headers: { "x-should-retry": "false" },
};

function signalled(): { promise: Promise<void>; resolve: () => void } {
  const control = new AbortController();
  const promise = new Promise<void>((resolve) => {
    control.signal.addEventListener("abort", () => resolve());
  });
  return { promise, resolve: () => control.abort() };
}
