import type { Writable } from "node:stream";
import { createPromptLine } from "./prompt-line.ts";
import { createLineInput, type Input } from "./terminal-input.ts";

/** The one place where a program talks with its user, on a terminal or through pipes. */
export interface Terminal {
  /** Streams a piece of the model's text to stdout. */
  text(piece: string): void;
  /** Takes back what was streamed since the last line of another kind; where it can not, says that it does not count. */
  discard(): void;
  /** Prints whole lines on stdout, above whatever is being typed; ends an open line of streamed text first. */
  print(text: string, look?: "dim"): void;
  /** Diagnostics: whole lines on stderr, dimmed on a terminal; same care. */
  note(text: string): void;
  /**
   * The next line of input, undefined at end of input. Lines that come while no one reads are kept in order.
   * Undefined also when `giveUp` aborts and no line is there: what is half typed stays for the next read.
   */
  read(prompt: string, giveUp?: AbortSignal): Promise<string | undefined>;
  /**
   * Asks a question in a running turn; one that comes while another waits for its answer is asked after it. In a pipe
   * the next line is the answer, whatever it says, and is shown behind the question. On a terminal only what is typed
   * after the question was shown is one.
   *
   * @returns the answer; undefined at end of input
   * @throws signal.reason when the turn is interrupted
   */
  ask(question: string, signal: AbortSignal): Promise<string | undefined>;
  /**
   * Ctrl-C: calls the handler, whether it comes as a key (terminal in raw mode) or as SIGINT. Without any handler it
   * is the end of input.
   *
   * @returns how to stop listening
   */
  onInterrupt(handler: () => void): () => void;
  /** Aborts when nobody can see the output any more: the terminal was closed, or who read the pipe has left. */
  gone: AbortSignal;
  /** Gives the terminal back: raw mode off, listeners gone, pending reads resolve undefined. */
  close(): void;
}

type Output = Writable & { isTTY?: boolean };

/** Whoever starts a program may pass on a signal that the terminal sent to both: within so many ms it is one key. */
const SAME_KEY_MS = 50;

interface TerminalOptions {
  /** Shown on a terminal while no one reads, before what is typed ahead: a turn is never mere silence. */
  busy?: string;
  input?: Input;
  output?: Output;
  error?: Output;
  env?: NodeJS.ProcessEnv;
}

/** Opens the terminal of the process, or the one made of the streams given. It reads from now on, until closed. */
export function createTerminal(options: TerminalOptions = {}): Terminal {
  const { busy = "", env = process.env } = options;
  const { input = process.stdin, output = process.stdout, error = process.stderr } = options;
  const editing = Boolean(input.isTTY && output.isTTY) && env.TERM !== "dumb";
  const promptLine = createPromptLine(output);
  const gone = new AbortController();
  let closed = false;
  let streamed = ""; // since the last line of another kind
  const screen = { showPrompt, showAnswer, print, redraw, markPastes };
  const lines = createLineInput(input, editing, screen, { busy, interrupt, hangUp });
  const dimmed = (shown: string, stream: Output) => (stream.isTTY && !env.NO_COLOR ? DIM + shown + BRIGHT : shown);

  function redraw(): void {
    promptLine.erase();
    const line = closed ? undefined : lines.current();
    if (line) promptLine.draw(showable(line.before, output), showable(line.after, output));
  }

  /** What ends the open line, if there is one. */
  const lineEnd = () => (promptLine.isLineOpen() ? "\n" : "");

  /** @returns the text as it is shown */
  function text(piece: string, look?: "dim"): string {
    if (piece === "" || gone.signal.aborted) return "";
    const shown = showable(piece, output);
    output.cork(); // in one write: nothing flickers
    const onNewRow = promptLine.erase();
    const written = onNewRow ? shown.replace(/^\n/, "") : shown;
    output.write(look ? dimmed(written, output) : written);
    promptLine.wrote(shown);
    redraw();
    output.uncork();
    return shown;
  }

  function print(whole: string, look?: "dim"): void {
    text(lineEnd());
    text(`${withoutEnd(whole)}\n`, look);
    streamed = "";
  }

  function discard(): void {
    if (streamed === "") return;
    promptLine.erase();
    if (!output.isTTY || !promptLine.eraseText(streamed)) {
      note("[that reply failed: what was shown of it does not count]");
    }
    streamed = "";
    redraw();
  }

  function showPrompt(prompt: string): void {
    if (prompt !== "") text(lineEnd() + prompt);
  }

  function showAnswer(answer: string): void {
    if (!input.isTTY) text(`${answer}\n`);
  }

  function note(whole: string): void {
    if (output.isTTY && error.isTTY) text(lineEnd());
    promptLine.erase();
    streamed = "";
    error.write(`${dimmed(withoutEnd(showable(whole, error)), error)}\n`);
    redraw();
  }

  /** The terminal puts marks around what is pasted, so that lines of a paste differ from lines that are typed. */
  function markPastes(on: boolean): void {
    if (!gone.signal.aborted) output.write(`\u001b[?2004${on ? "h" : "l"}`);
  }

  const handlers = new Set<() => void>();
  let lastSignal = Number.NEGATIVE_INFINITY;

  function interrupt(): void {
    if (handlers.size === 0) close();
    for (const handler of handlers) handler();
  }

  function interruptBySignal(): void {
    const now = performance.now();
    const sameKey = now - lastSignal < SAME_KEY_MS;
    lastSignal = now;
    if (!sameKey) interrupt();
  }

  function close(): void {
    closed = true;
    lines.close();
    redraw();
    text(lineEnd());
    process.off("SIGINT", interruptBySignal);
  }

  function hangUp(): void {
    if (gone.signal.aborted) return;
    gone.abort();
    close();
  }

  process.on("SIGINT", interruptBySignal);
  output.on("error", hangUp); // stays when all is closed: such errors come late
  error.on("error", () => {}); // diagnostics that nobody reads
  redraw();

  return {
    text(piece) {
      streamed += text(piece);
    },
    discard,
    print,
    note,
    // A pipe is shown no prompts, only questions.
    read: (prompt, giveUp) => lines.read(input.isTTY || output.isTTY ? prompt : "", giveUp),
    ask: (question, signal) => lines.ask(question, signal),
    onInterrupt(handler) {
      handlers.add(handler);
      return () => handlers.delete(handler);
    },
    gone: gone.signal,
    close,
  };
}

const [DIM, BRIGHT] = ["\u001b[2m", "\u001b[22m"];
const withoutEnd = (text: string) => text.replace(/\n$/, "");

/**
 * Text is only text: what a model or a file says moves no cursor, and hides nothing in a question. (Of colours and
 * movements nothing is left; a title's words, say, could be a command's.) In a pipe it keeps its direction of writing.
 */
function showable(text: string, { isTTY }: Output): string {
  return text.replaceAll(isTTY ? CONTROL_OR_DIRECTION : CONTROL, "");
}

const CONTROL = /(?![\t\n])\p{Cc}(?:\[[\d;?]*[A-Za-z])?/gu;
const CONTROL_OR_DIRECTION = new RegExp(`${CONTROL.source}|\\p{Bidi_Control}`, "gu");
