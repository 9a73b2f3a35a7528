/**
 * Set up before the tests of an exercise: a loop that never ends blocks the process, so that no test could tell of it.
 * A thread beside it looks whether the process still turns; when it has not for a while, it notes which function runs
 * and ends the process. The reporter tells the reader.
 */
import { Worker } from "node:worker_threads";
import { beforeEach } from "vitest";
import { STUCK_MS } from "./stuck.ts";

const { EXERCISE_STUCK: report } = process.env;

/** The thread. It is started from its own text, so that it imports nothing. */
function watch(): void {
  const { Session } = process.getBuiltinModule("node:inspector");
  const { writeFileSync } = process.getBuiltinModule("node:fs");
  const { parentPort, workerData } = process.getBuiltinModule("node:worker_threads");
  const { beats, file, limit }: { beats: Int32Array; file: string; limit: number } = workerData;

  let test: string | undefined;
  parentPort?.on("message", (name: string) => (test = name));

  let seen = -1;
  let since = performance.now();
  let looking = false;
  // It goes on while one looks: a thread without a timer would end.
  setInterval(() => {
    const now = Atomics.load(beats, 0);
    if (now !== seen) since = performance.now();
    seen = now;
    if (looking || performance.now() - since <= limit) return;
    looking = true;
    look(now);
  }, 100);

  const look = (stuckAt: number) => {
    const session = new Session();
    session.connectToMainThread();
    const files = new Map<string, string>();
    session.on("Debugger.scriptParsed", ({ params }) => files.set(params.scriptId, params.url));
    let left = 100; // looks, until one meets a function of the exercise
    session.on("Debugger.paused", ({ params }) => {
      if (Atomics.load(beats, 0) !== stuckAt) {
        session.disconnect(); // it goes on: it was slow, no more
        looking = false;
        return;
      }
      const frame = params.callFrames.find(
        ({ location, functionName }) => functionName && files.get(location.scriptId)?.includes("exercise.ts"),
      );
      if (!frame && left-- > 0) {
        // Not the reader's loop: a busy machine, perhaps, that loads something.
        session.post("Debugger.resume");
        setTimeout(() => session.post("Debugger.pause"), 200);
        return;
      }
      writeFileSync(file, JSON.stringify({ test, functionName: frame?.functionName }));
      process.kill(process.pid, "SIGKILL");
    });
    session.post("Debugger.enable");
    session.post("Debugger.pause");
  };
}

if (report) {
  const beats = new Int32Array(new SharedArrayBuffer(4));
  setInterval(() => Atomics.add(beats, 0, 1), 50).unref();
  const workerData = { beats, file: report, limit: STUCK_MS };
  const watchdog = new Worker(`(${watch.toString()})()`, { eval: true, execArgv: [], workerData });
  watchdog.unref();
  // Told at once: what the reporter is told comes in batches, and the last one would not come.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
  beforeEach(({ task }) => watchdog.postMessage(task.fullTestName));
}
