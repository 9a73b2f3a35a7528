/** Faults on request, so that people can see a harness recover: `OFFLINE_FAULTS=529x3`. */
import {
  cutOff,
  dropConnection,
  dropMidway,
  errorMidStream,
  fail,
  type Model,
  promptTooLong,
  type Reply,
  stallFor,
  type Step,
} from "./script.ts";

/** What becomes of one request; `next` asks the model. */
type Fault = (next: () => Promise<Step>) => Step | Promise<Step>;

const KNOWN =
  "a status (400 to 599, with :retry-after=<seconds>), drop, drop-midway, overloaded-midway, stall=<seconds>s, " +
  "max_tokens, prompt-too-long, ok; each may be followed by x<times>";

/**
 * A model whose first answers go wrong as the text says, one word a request: `429x2:retry-after=1,ok,drop-midway`.
 * Throws for a word that means nothing.
 */
export function withFaults(model: Model, text: string): Model {
  const faults = parseFaults(text);
  return (request) => {
    const fault = faults.shift();
    return fault ? fault(async () => model(request)) : model(request);
  };
}

function parseFaults(text: string): Fault[] {
  const words = text.split(",").map((word) => word.trim());
  return words.filter(Boolean).flatMap(parseFault);
}

const WORD =
  /^(?<name>\d{3}|[a-z_-]*[a-z])(?:=(?<seconds>\d+(?:\.\d+)?)s)?(?:x(?<times>\d{1,3}))?(?::retry-after=(?<retryAfter>\d+))?$/;

function parseFault(word: string): Fault[] {
  const { name = "", seconds, times = "1", retryAfter } = WORD.exec(word)?.groups ?? {};
  const fault = faultOf(name, { seconds, retryAfter });
  if (!fault) throw new Error(`unknown fault "${word}"; known: ${KNOWN}`);
  return Array.from({ length: Number(times) }, () => fault);
}

function faultOf(
  name: string,
  { seconds, retryAfter }: { seconds: string | undefined; retryAfter: string | undefined },
): Fault | undefined {
  const status = Number(name);
  if (status >= 400 && status < 600)
    return () => fail(status, retryAfter === undefined ? {} : { retryAfter: Number(retryAfter) });
  if (retryAfter !== undefined || (name === "stall") !== (seconds !== undefined)) return undefined;
  if (name === "stall") return async (next) => stallFor(await next(), Number(seconds) * 1000);
  return FAULTS.get(name);
}

const FAULTS = new Map<string, Fault>([
  ["ok", (next) => next()],
  ["drop", dropConnection],
  ["prompt-too-long", promptTooLong],
  ["drop-midway", onReply(dropMidway)],
  ["overloaded-midway", onReply((step) => errorMidStream(step))],
  ["max_tokens", onReply((step) => cutOff(step, { inside: true }))],
]);

/** Breaks a reply; what is no reply is broken already. */
function onReply(change: (step: Reply) => Step): Fault {
  return async (next) => {
    const step = await next();
    return step.kind === "reply" ? change(step) : step;
  };
}
