import { createInterface, emitKeypressEvents, type Key } from "node:readline";
import { PassThrough, type Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { shortened } from "./shorten.ts";
import { withoutReports } from "./terminal-reports.ts";

/** A source of lines. On a terminal (`isTTY`) it may be edited. */
export type Input = Readable & { isTTY?: boolean; setRawMode?(mode: boolean): void };

/** Where the user sees what he is asked. */
export interface Screen {
  /** Writes a prompt, behind which the input's own echo, if any, goes. */
  showPrompt(prompt: string): void;
  /** Writes an answer behind its question, unless the input's own echo did. */
  showAnswer(answer: string): void;
  /** Prints lines, above what is drawn. */
  print(text: string): void;
  /** Draws `LineInput.current`: it has changed. */
  redraw(): void;
  /** Has the terminal mark the beginning and the end of what is pasted, or not any more. */
  markPastes(on: boolean): void;
}

/** Lines of input, one for each who reads. */
export interface LineInput {
  /** See `Terminal`. */
  read(prompt: string, giveUp?: AbortSignal): Promise<string | undefined>;
  ask(question: string, signal: AbortSignal): Promise<string | undefined>;
  /** What is to be drawn below all output: the prompt and what is typed, before and after the cursor. */
  current(): { before: string; after: string } | undefined;
  /** End of input: the source is let go, and whoever waits for a line gets undefined. */
  close(): void;
}

/** A call of `read` or `ask` that waits for its line. */
interface Reader {
  /** The lines above the prompt. */
  head: string;
  prompt: string;
  question: boolean;
  resolve(line: string | undefined): void;
}

/** With more lines than this waiting a pipe is not read on. */
const LINES_AHEAD = 1000;

/** Of the lines that wait so many are shown. */
const LINES_SHOWN = 3;

/** Stands in the line for a line's end that was pasted. Unicode has this one for use inside a program. */
const PASTED_END = "\ufdd0";

/**
 * Reads from now on. The last line needs no end; bytes that are no UTF-8 are replaced.
 *
 * @param editing on a terminal in raw mode: with a cursor and a history, and only what `screen` draws is seen
 * @param busy what is drawn while no one reads, before what is typed ahead; "" draws nothing
 * @param interrupt is called when Ctrl-C comes as a key
 * @param hangUp is called when the terminal is gone: it reads no more, without Ctrl-D
 */
export function createLineInput(
  input: Input,
  editing: boolean,
  screen: Screen,
  { busy, interrupt, hangUp }: { busy: string; interrupt: () => void; hangUp: () => void },
): LineInput {
  const typing = editing ? onlyTyped(input) : input;
  // Bound by readline itself, keys that come together (a paste, a word from an input method) land at the line's end,
  // wherever the cursor is.
  if (editing) emitKeypressEvents(typing);
  // Readline edits, but has no output: what is typed during a turn must not mix into what the turn writes.
  const editor = createInterface({ input: typing, terminal: editing, crlfDelay: Number.POSITIVE_INFINITY });
  // No screen to measure: that would make a long paste slow.
  editor.getCursorPos = () => ({ rows: 0, cols: 0 });
  const lines: string[] = []; // no one has read them yet
  const readers: Reader[] = [];
  let shown: Reader | undefined;
  let draft = { before: "", after: "" }; // half-typed when a question came
  let history: string[] = []; // without answers
  let pasting = false;
  let pastedReturn = false; // just before: a line feed that follows belongs to it
  let due = false;
  let ended = false;
  let closing = false;

  /** Serves the readers once all that came together is taken in: a paste is drawn once. */
  function update(): void {
    if (due || pasting) return;
    due = true;
    queueMicrotask(() => {
      due = false;
      serve();
    });
  }

  function serve(): void {
    const reader = readers.find(({ question }) => question) ?? readers[0];
    if (!reader) return screen.redraw();
    if (!editing) show(reader);
    // On a terminal, what was typed before the question was shown approves nothing.
    const line = editing && reader.question ? undefined : lines.shift();
    if (line !== undefined || ended) finish(reader, line);
    else show(reader);
    if (!ended && lines.length < LINES_AHEAD) editor.resume();
  }

  function show(reader: Reader): void {
    if (reader !== shown && editing && reader.question) putDraftAside();
    if (reader !== shown && reader.head) screen.print(reader.head);
    if (reader !== shown && !editing) screen.showPrompt(reader.prompt);
    shown = reader;
    screen.redraw();
  }

  function finish(reader: Reader, line: string | undefined): void {
    remove(reader, line);
    if (!editing && reader.question && line !== undefined) screen.showAnswer(line);
    reader.resolve(line);
  }

  /** The reader waits no longer. On a terminal its prompt stays on the screen, with what was typed. */
  function remove(reader: Reader, line: string | undefined): void {
    const wasShown = reader === shown;
    readers.splice(readers.indexOf(reader), 1);
    if (wasShown) shown = undefined;
    if (editing && (wasShown || line !== undefined)) screen.print(reader.prompt + (line ?? visible(editor.line)));
    if (editing && wasShown && reader.question) giveDraftBack();
    update();
  }

  /** Puts the lines that wait for their turn back into the line that is typed. */
  function recallQueued(): void {
    const texts = lines.splice(0).map((line) => line.replaceAll("\n", PASTED_END));
    if (texts.length === 0) return;
    if (!shown) draft = typed();
    if (draft.before + draft.after !== "") texts.push(draft.before);
    draft.before = texts.join(PASTED_END);
    if (!shown) giveDraftBack();
  }

  const typed = () => ({ before: editor.line.slice(0, editor.cursor), after: editor.line.slice(editor.cursor) });

  function putDraftAside(): void {
    draft = typed();
    clear();
  }

  function giveDraftBack(): void {
    if (ended) return;
    clear();
    editor.write(draft.after);
    editor.write(null, { ctrl: true, name: "a" }); // to the beginning
    editor.write(draft.before);
  }

  function clear(): void {
    editor.write(null, { ctrl: true, name: "e" }); // to the end
    editor.write(null, { ctrl: true, name: "u" }); // delete all before the cursor
  }

  function receive(typedLine: string): void {
    const line = typedLine.replaceAll(PASTED_END, "\n");
    if (editing && shown) finish(shown, line);
    else lines.push(line);
    if (!editing && lines.length >= LINES_AHEAD) editor.pause();
    update();
  }

  /** Ctrl-Z stops the whole job: readline would stop this process alone, and whoever started it would wait. */
  function suspend(): void {
    screen.print("^Z");
    screen.markPastes(false);
    input.setRawMode?.(false);
    process.kill(0, "SIGTSTP"); // returns when the job is continued
    input.setRawMode?.(true);
    screen.markPastes(true);
    screen.redraw();
  }

  /** A key before readline gets it. */
  function filterKey(text: string | undefined, key: Key): void {
    if (key.name === "paste-start") pasting = true;
    if (key.name === "paste-end" || (key.ctrl && key.name === "c")) pasting = false; // its end mark may never come
    const lineEnd = pasting && (key.name === "return" || key.name === "enter");
    if (lineEnd && !(pastedReturn && key.name === "enter")) editor.write(PASTED_END);
    pastedReturn = lineEnd && key.name === "return";
    // What is pasted is text and no command, and what was typed as a prompt is no answer to a question.
    if (pasting ? !isText(text) : shown?.question && recalls(key)) Object.assign(key, IGNORED);
  }

  function end(): void {
    ended = true;
    if (editing) screen.markPastes(false);
    update();
  }

  editor.on("line", receive);
  editor.on("close", end);
  editor.on("SIGINT", () => {
    if (!shown || shown.question || editor.line === "") {
      if (editing) recallQueued();
      return interrupt();
    }
    screen.print(`${shown.prompt}${visible(editor.line)}^C`); // as in a shell: the line is dropped, and nothing else
    clear();
    update();
  });
  editor.on("SIGTSTP", suspend);
  editor.on("history", (entries) => {
    if (shown?.question) entries.splice(0, entries.length, ...history);
    else history = [...entries];
  });
  if (editing) {
    screen.markPastes(true);
    typing.prependListener("keypress", filterKey);
    typing.on("keypress", update);
    input.on("end", hangUp); // Ctrl-D is a key, and no end
  }
  /** Once: to close sets the mode of the terminal, which is an error when that is gone. */
  function letGo(): void {
    if (closing) return;
    closing = true;
    editor.close();
  }
  const fail = () => {
    letGo();
    if (editing) hangUp();
  };
  // They stay, for it may tell so late.
  editor.on("error", fail);
  input.on("error", fail);

  const enqueue = (reader: Reader) => {
    readers.push(reader);
    update();
  };

  return {
    read: (prompt, giveUp) =>
      new Promise((resolve) => {
        const leave = () => {
          if (!readers.includes(reader)) return;
          readers.splice(readers.indexOf(reader), 1); // what is typed stays in the editor, for the next reader
          if (reader === shown) shown = undefined;
          update();
          resolve(undefined);
        };
        const reader: Reader = {
          head: "",
          prompt,
          question: false,
          resolve(line) {
            giveUp?.removeEventListener("abort", leave);
            resolve(line);
          },
        };
        enqueue(reader);
        giveUp?.addEventListener("abort", leave, { once: true });
        if (giveUp?.aborted) setImmediate(leave); // a line that is there comes first
      }),

    ask: (question, signal) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        const stop = () => {
          remove(reader, undefined);
          reject(signal.reason);
        };
        // Only its last line is drawn anew with each key: all of the question is there to be read, however long it is.
        const [prompt = "", ...above] = question.split("\n").toReversed();
        const reader: Reader = {
          head: above.toReversed().join("\n"),
          prompt,
          question: true,
          resolve(line) {
            signal.removeEventListener("abort", stop);
            resolve(line);
          },
        };
        signal.addEventListener("abort", stop, { once: true });
        enqueue(reader);
      }),

    current() {
      if (!editing || !(shown || busy)) return undefined;
      const before = shown ? shown.prompt : waiting(lines) + busy;
      return { before: before + visible(typed().before), after: visible(typed().after) };
    },

    close() {
      lines.length = 0;
      typing.off("keypress", filterKey);
      typing.off("keypress", update);
      letGo();
      input.pause();
      while (readers[0]) finish(readers[0], undefined);
    },
  };
}

/** What is typed on a terminal, without what the terminal itself reports. */
function onlyTyped(input: Input): Input {
  const typed = new PassThrough();
  const bytes = new StringDecoder("utf8");
  const add = withoutReports((text) => typed.write(text));
  input.on("data", (chunk: Buffer) => add(bytes.write(chunk)));
  input.on("end", () => typed.end());
  return Object.assign(typed, { setRawMode: (on: boolean) => input.setRawMode?.(on) });
}

/** The lines that wait for their turn: the newest of them, a row each. */
function waiting(lines: string[]): string {
  const newest = lines.slice(-LINES_SHOWN).map((line) => `next: ${shortened(line.replaceAll("\n", "⏎"), 60)}\n`);
  const more = lines.length - newest.length;
  return (more > 0 ? `… ${more} more\n` : "") + newest.join("");
}

const visible = (text: string) => text.replaceAll(PASTED_END, "⏎");

const isText = (text: string | undefined) => text !== undefined && (text === "\t" || !/\p{Cc}/u.test(text));

/** Whether readline answers a key with something that was typed before: from the history, undone or cut. */
function recalls({ name = "", ctrl, meta, sequence = "" }: Key): boolean {
  const chord = `${ctrl ? "C-" : ""}${meta ? "M-" : ""}${name}`;
  return ["up", "down", "C-p", "C-n", "C-y", "M-y"].includes(chord) || ["\u001e", "\u001f"].includes(sequence);
}

/** What a key becomes that readline passes over. */
const IGNORED = { name: "escape", sequence: "" };
