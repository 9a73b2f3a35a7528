/** Waits for a promise, but no longer than until the signal aborts. Rejects with the signal's reason then. */
export function unlessAborted<Value>(signal: AbortSignal, promise: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort);
    void promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
