/**
 * Waits for a promise, but no longer than until the signal aborts, and then `grace` ms more. Rejects with the signal's
 * reason when that is over.
 */
export function unlessAborted<Value>(signal: AbortSignal, promise: Promise<Value>, grace = 0): Promise<Value> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const giveUp = () => reject(signal.reason);
    const abort = () => {
      if (grace === 0) giveUp();
      else timer = setTimeout(giveUp, grace);
    };
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort);
    void promise.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
    });
  });
}
