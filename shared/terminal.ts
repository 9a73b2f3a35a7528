import type { Writable } from "node:stream";
import { createPromptLine } from "./prompt-line.ts";
import { createLineInput, type Input } from "./terminal-input.ts";

/** The one place where a program talks with its user, on a terminal or through pipes. */
export interface Terminal {
  /** Streams a piece of the model's text to stdout. */
  text(piece: string): void;
  /** Prints whole lines on stdout, above whatever is being typed; ends an open line of streamed text first. */
  print(text: string, look?: "dim"): void;
  /** Diagnostics: whole lines on stderr, dimmed on a terminal; same care. */
  note(text: string): void;
  /** The next line of input, undefined at end of input. Lines that come while no one reads are kept in order. */
  read(prompt: string): Promise<string | undefined>;
  /**
   * Asks a question in a running turn; one that comes while another waits for its answer is asked after it. In a pipe
   * the next line is the answer, on a terminal only what is typed after the question was shown.
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
  const screen = { showPrompt, print, redraw, markPastes };
  const lines = createLineInput(input, editing, screen, { busy, interrupt });
  const dimmed = (shown: string, stream: Output) => (stream.isTTY && !env.NO_COLOR ? DIM + shown + BRIGHT : shown);
  let closed = false;
  let open = ""; // what stands on stdout's last line, not ended yet

  function redraw(): void {
    promptLine.erase();
    const line = closed ? undefined : lines.current();
    if (line) promptLine.draw(open, showable(line.before, output), showable(line.after, output));
  }

  /** What ends the open line, if there is one. */
  const lineEnd = () => open && "\n";

  function text(piece: string, look?: "dim"): void {
    if (piece === "") return;
    output.cork(); // in one write: nothing flickers
    const onNewRow = promptLine.erase();
    const shown = showable(piece, output);
    const written = onNewRow ? shown.replace(/^\n/, "") : shown;
    output.write(look ? dimmed(written, output) : written);
    const end = shown.lastIndexOf("\n");
    open = end < 0 ? open + shown : shown.slice(end + 1);
    redraw();
    output.uncork();
  }

  function print(whole: string, look?: "dim"): void {
    text(lineEnd());
    text(`${withoutEnd(whole)}\n`, look);
  }

  function showPrompt(prompt: string): void {
    if (prompt !== "") text(lineEnd() + prompt);
  }

  function note(whole: string): void {
    if (output.isTTY && error.isTTY) text(lineEnd());
    promptLine.erase();
    error.write(`${dimmed(withoutEnd(showable(whole, error)), error)}\n`);
    redraw();
  }

  /** The terminal puts marks around what is pasted, so that lines of a paste differ from lines that are typed. */
  function markPastes(on: boolean): void {
    output.write(`\u001b[?2004${on ? "h" : "l"}`);
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

  process.on("SIGINT", interruptBySignal);
  // When no one looks any more (`| head`), nothing more is asked. Stays when all is closed: such errors come late.
  output.on("error", close);
  error.on("error", close);
  redraw();

  return {
    text: (piece) => text(piece),
    print,
    note,
    // A pipe is shown no prompts, only questions.
    read: (prompt) => lines.read(input.isTTY || output.isTTY ? prompt : ""),
    ask: (question, signal) => lines.ask(question, signal),
    onInterrupt(handler) {
      handlers.add(handler);
      return () => handlers.delete(handler);
    },
    close,
  };
}

const [DIM, BRIGHT] = ["\u001b[2m", "\u001b[22m"];
const withoutEnd = (text: string) => text.replace(/\n$/, "");

/**
 * On a terminal text is only text: what a model or a file says moves no cursor, and hides nothing in a question. (Of
 * colours and movements nothing is left; a title's words, say, could be a command's.)
 */
function showable(text: string, { isTTY }: Output): string {
  return isTTY ? text.replaceAll(/(?![\t\n])[\p{Cc}\p{Bidi_Control}](?:\[[\d;?]*[A-Za-z])?/gu, "") : text;
}
