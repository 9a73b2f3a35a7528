import { setTimeout as delay } from "node:timers/promises";

/** Time, so that a test can turn it. */
export interface Clock {
  /** ms since 1970. */
  now: () => number;
  /** Waits so many ms. Rejects when the signal aborts. */
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

export const realClock: Clock = { now: Date.now, sleep: (ms, signal) => delay(ms, undefined, { signal }) };
