import { PassThrough, Writable } from "node:stream";
import { afterEach, describe, expect, test, vi } from "vitest";
import { withoutReports } from "./terminal-reports.ts";
import { createTerminal, type Terminal } from "./terminal.ts";

const open: Terminal[] = [];
afterEach(() => {
  vi.restoreAllMocks();
  for (const terminal of open.splice(0)) terminal.close();
});

/** Until all that was typed or written has come through. */
const settled = () => new Promise((resolve) => setImmediate(resolve));
const running = () => new AbortController().signal;

const LEFT = "\u001b[D";
const UP = "\u001b[A";
const BACKSPACE = "\u007f";
const CTRL_C = "\u0003";
const CTRL_D = "\u0004";
const CTRL_U = "\u0015";
const CTRL_Y = "\u0019";
const UNDO = "\u001f";
const CTRL_P = "\u0010";
const pasted = (text: string) => `\u001b[200~${text}\u001b[201~`;

/** A terminal of `columns` with its screen. */
function onTerminal({
  columns = 20,
  rows = 24,
  env = {},
  busy = "",
}: { columns?: number; rows?: number; env?: NodeJS.ProcessEnv; busy?: string } = {}) {
  const setRawMode = vi.fn<(mode: boolean) => void>();
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode });
  const screen = createScreen(columns, rows);
  const terminal = createTerminal({ busy, input, output: screen.output, error: screen.output, env });
  open.push(terminal);
  const type = async (keys: string) => {
    input.write(keys);
    await settled();
  };
  return { terminal, input, type, setRawMode, screen };
}

function onPipe() {
  const input = new PassThrough();
  const [output, error] = [collector(), collector()];
  const terminal = createTerminal({ input, output: output.stream, error: error.stream, env: {} });
  open.push(terminal);
  return { terminal, input, output, error };
}

async function readAll(terminal: Terminal): Promise<string[]> {
  const lines: string[] = [];
  for (let line = await terminal.read("> "); line !== undefined; line = await terminal.read("> ")) lines.push(line);
  return lines;
}

describe("a terminal", () => {
  test.each([
    ["nothing yet", "", "> |"],
    ["a word", "hello", "> hello|"],
    ["the cursor inside", `hello${LEFT}${LEFT}`, "> hel|lo"],
    ["wide characters", `你好世${LEFT}`, "> 你好|世"],
    ["emoji", `a😀b${LEFT}${LEFT}`, "> a|😀b"],
    ["several rows", `one two three four five${LEFT}`, "> one two\nthree four\n fiv|e"],
    ["several rows of wide characters", `あいうえおかきくけこ${LEFT}${LEFT}`, "> あいうえ\nおかきく|け\nこ"],
    ["a wide character that does not fit the row", "abcdefg漢字", "> abcdefg\n漢字|"],
    ["a row that is just full", "abcdefgh", "> abcdefgh\n|"],
  ])("an event keeps what is being typed, and the cursor: %s", async (_, keys, shown) => {
    const { terminal, type, screen } = onTerminal({ columns: 10 });
    void terminal.read("> ");
    await type(keys);
    expect(screen.show()).toBe(shown);
    terminal.print("event");
    terminal.note("note\nline 2");
    expect(screen.show()).toBe(`event\nnote\nline 2\n${shown}`);
    await type("!");
    terminal.print("event 2");
    expect(screen.show().replace("!|", "|")).toMatch(/^event\nnote\nline 2\nevent 2\n> [^>]*\|[^>]*$/);
  });

  test.each([
    ["short", "one ", "two", "one two"],
    ["wrapped", "one two three ", "four", "one two th\nree four"],
    ["a full row", "0123456789", "next", "0123456789\nnext"],
    ["wide", "你好世", "界你好", "你好世界你\n好"],
  ])("text that streams while the prompt is there goes on where it was: %s", async (_, first, second, streamed) => {
    const { terminal, type, screen } = onTerminal({ columns: 10 });
    void terminal.read("> ");
    await type("typed and typed");
    terminal.text(first);
    terminal.text(second);
    expect(screen.show()).toBe(`${streamed}\n> typed an\nd typed|`);
    terminal.print("next line");
    expect(screen.show()).toBe(`${streamed}\nnext line\n> typed an\nd typed|`);
  });

  test("while no one reads one sees that work goes on, and what is typed ahead, which stays editable", async () => {
    const { terminal, type, screen } = onTerminal({ busy: "busy " });
    expect(screen.show()).toBe("busy |");
    terminal.text("working");
    expect(screen.show()).toBe("working\nbusy |");
    await type(`next${LEFT}`);
    terminal.text(" on");
    expect(screen.show()).toBe("working on\nbusy nex|t");
    const line = terminal.read("> ");
    await settled();
    expect(screen.show()).toBe("working on\n> nex|t");
    await type(`${BACKSPACE}X\r`);
    expect(await line).toBe("neXt");
    expect(screen.show()).toBe("working on\n> neXt\nbusy |");
  });

  test("a line that just fills its row is followed by no blank one", () => {
    const { terminal, screen } = onTerminal({ columns: 10, busy: "busy " });
    terminal.text("0123456789");
    terminal.text("\nnext ");
    terminal.text("56789");
    terminal.print("more");
    expect(screen.show()).toBe("0123456789\nnext 56789\nmore\nbusy |");
  });

  test("lines typed ahead are seen, wait their turn, and are no answers", async () => {
    const { terminal, type, screen } = onTerminal({ busy: "busy " });
    await type("one\rtwo\rth");
    expect(screen.show()).toBe("next: one\nnext: two\nbusy th|");
    const answer = terminal.ask("Allow? ", running());
    await settled();
    expect(screen.show()).toBe("Allow? |");
    await type("y\r");
    expect(await answer).toBe("y");
    expect(screen.show()).toBe("Allow? y\nnext: one\nnext: two\nbusy th|");
    expect(await terminal.read("> ")).toBe("one");
    expect(screen.show()).toBe("Allow? y\n> one\nnext: two\nbusy th|");
  });

  test("Ctrl-C gives back what was typed ahead, to be changed, sent or dropped", async () => {
    const { terminal, type, screen } = onTerminal({ busy: "busy ", columns: 40 });
    const handler = vi.fn<() => void>();
    terminal.onInterrupt(handler);
    await type(`one\rtwo\rhal${LEFT}`);
    await type(CTRL_C);
    expect(handler).toHaveBeenCalledTimes(1);
    expect(screen.show()).toBe("busy one⏎two⏎ha|l");
    const line = terminal.read("> ");
    await type("!\r");
    expect(await line).toBe("one\ntwo\nha!l");
  });

  test("Ctrl-C at a question gives it back too", async () => {
    const { terminal, type, screen } = onTerminal();
    const turn = new AbortController();
    terminal.onInterrupt(() => turn.abort(new Error("stopped")));
    await type("one\rtwo\r");
    const answer = terminal.ask("Allow? ", turn.signal).catch(() => "stopped");
    await settled();
    await type(CTRL_C);
    expect(await answer).toBe("stopped");
    void terminal.read("> ");
    await settled();
    expect(screen.show()).toBe("Allow?\n> one⏎two|");
  });

  test("of many lines typed ahead the newest are seen, a row each", async () => {
    const { terminal, type, screen } = onTerminal({ busy: "busy ", columns: 80 });
    await type(`1\r2\r3\r${"x".repeat(100)}\r${pasted("4\r5")}\r`);
    terminal.print("out");
    expect(screen.show()).toBe(`out\n… 2 more\nnext: 3\nnext: ${"x".repeat(59)}…\nnext: 4⏎5\nbusy |`);
  });

  test("a paste of several lines is one prompt, once it is sent", async () => {
    const { terminal, type, screen } = onTerminal();
    const first = terminal.read("> ");
    await type(`say ${pasted("one\rtwo\r")}!${LEFT}${BACKSPACE}`);
    expect(screen.show()).toBe("> say one⏎two|!");
    await type("\r");
    expect(await first).toBe("say one\ntwo!");
    expect(screen.show()).toBe("> say one\ntwo!\n|");
    void terminal.read("> ");
    await type(UP);
    expect(screen.show()).toBe("> say one\ntwo!\n> say one⏎two!|");
  });

  test.each([
    ["of Windows", "one\r\ntwo\r\n\r\nfour", "one\ntwo\n\nfour"],
    ["of Unix", "one\ntwo\n\nfour", "one\ntwo\n\nfour"],
    ["as terminals send them", "one\rtwo\r\rfour", "one\ntwo\n\nfour"],
    ["of all kinds", "a\r\n\nb\n\rc\r\r\nd", "a\n\nb\n\nc\n\nd"],
  ])("line ends in a paste are kept, one for one: %s", async (_what, text, right) => {
    const { terminal, type } = onTerminal({ columns: 80 });
    const whole = terminal.read("> ");
    await type(`${pasted(text)}\r`);
    expect(await whole).toBe(right);
    const inPieces = terminal.read("> ");
    for (const key of pasted(text)) await type(key);
    await type("\r");
    expect(await inPieces).toBe(right);
  });

  test("keys in a paste are no commands", async () => {
    const { terminal, type, screen } = onTerminal();
    const line = terminal.read("> ");
    await type("one");
    await type(pasted(`${CTRL_D}${UP}${LEFT}${CTRL_U}\u001a${BACKSPACE}\ttwo`));
    expect(screen.show()).toBe("> one   two|");
    await type("\r");
    expect(await line).toBe("one\ttwo");
  });

  test("Ctrl-C ends a paste whose end mark never came", async () => {
    const { terminal, type } = onTerminal();
    const line = terminal.read("> ");
    await type("\u001b[200~half\r");
    await type(`${CTRL_C}whole\r`);
    expect(await line).toBe("whole");
  });

  test("what is taller than the screen is drawn as far as there is room, and kept", async () => {
    const { terminal, type, screen } = onTerminal({ columns: 10, rows: 5 });
    const line = terminal.read("> ");
    await type(`${"0123456789".repeat(100)}ab${LEFT}`);
    expect(screen.show()).toMatch(/^…\d+\n\d+\n\d*a\|b$/);
    terminal.print("out");
    expect(screen.show()).toMatch(/^out\n…\d+\n\d+\n\d*a\|b$/);
    await type("\r");
    expect(await line).toBe(`${"0123456789".repeat(100)}ab`);
  });

  test("of a question that is taller than the screen all is there to be read, once", async () => {
    const { terminal, type, screen } = onTerminal({ columns: 10, rows: 4 });
    const lines = Array.from({ length: 9 }, (_, i) => `line ${i}`).join("\n");
    const answer = terminal.ask(`${lines}\nAllow? `, running());
    await settled();
    terminal.print("event");
    expect(screen.show()).toBe(`${lines}\nevent\nAllow? |`);
    await type("y\r");
    expect(await answer).toBe("y");
    expect(screen.show()).toBe(`${lines}\nevent\nAllow? y\n|`);
  });

  test("after the end of input one still sees that work goes on", async () => {
    const { terminal, type, screen } = onTerminal({ busy: "busy " });
    await type(CTRL_D);
    terminal.print("out");
    expect(screen.show()).toBe("out\nbusy |");
    expect(screen.marksPastes()).toBe(false);
  });

  test("a paste answers no question", async () => {
    const { terminal, type, screen } = onTerminal();
    const answer = terminal.ask("Allow? ", running());
    await settled();
    await type(pasted("y\r"));
    expect(screen.show()).toBe("Allow? y⏎|");
    await type("no\r");
    expect(await answer).toBe("y\nno");
  });

  test("without marks around it a paste of several lines is several prompts, in order", async () => {
    const { terminal, type, screen } = onTerminal();
    const first = terminal.read("> ");
    await settled();
    await type("one\rtwo\r\nthr");
    expect(await first).toBe("one");
    expect(screen.show()).toBe("> one\n|");
    expect(await terminal.read("> ")).toBe("two");
    void terminal.read("> ");
    await settled();
    expect(screen.show()).toBe("> one\n> two\n> thr|");
  });

  test("what was typed ahead answers no question, and is not lost", async () => {
    const { terminal, type, screen } = onTerminal();
    await type(`yes\rhalf${LEFT}${LEFT}`);
    const answer = terminal.ask("Allow? ", running());
    await settled();
    expect(screen.show()).toBe("Allow? |");
    await type("no\r");
    expect(await answer).toBe("no");
    expect(await terminal.read("> ")).toBe("yes");
    void terminal.read("> ");
    await settled();
    expect(screen.show()).toBe("Allow? no\n> yes\n> ha|lf");
  });

  test("a question that comes while one types waits for its own answer", async () => {
    const { terminal, type, screen } = onTerminal();
    const line = terminal.read("> ");
    await type("yes");
    const answer = terminal.ask("Allow? ", running());
    await settled();
    expect(screen.show()).toBe("Allow? |");
    await type("\r");
    expect(await answer).toBe("");
    expect(screen.show()).toBe("Allow?\n> yes|");
    await type("!\r");
    expect(await line).toBe("yes!");
  });

  test("two questions are asked one after another, and one paste answers only the first", async () => {
    const { terminal, type, screen } = onTerminal();
    const answers = ["One? ", "Two? "].map((question) => terminal.ask(question, running()));
    await settled();
    expect(screen.show()).toBe("One? |");
    await type("y\ry\r");
    expect(await answers[0]).toBe("y");
    expect(screen.show()).toBe("One? y\nTwo? |");
    await type("n\r");
    expect(await answers[1]).toBe("n");
  });

  test("an interrupted question rejects, stays to be read, and gives back what was half-typed", async () => {
    const { terminal, type, screen } = onTerminal();
    const turn = new AbortController();
    terminal.onInterrupt(() => turn.abort(new Error("stopped")));
    await type("half");
    const answer = terminal.ask("Allow? ", turn.signal);
    const outcome = answer.catch((error: unknown) => error);
    await settled();
    await type(`ye${CTRL_C}`);
    expect(await outcome).toEqual(new Error("stopped"));
    void terminal.read("> ");
    await settled();
    expect(screen.show()).toBe("Allow? ye\n> half|");
  });

  test("the arrows bring back lines, but no answers and no line twice in a row", async () => {
    const { terminal, type, screen } = onTerminal();
    await type("first\rsecond\rsecond\r");
    const answer = terminal.ask("Allow? ", running());
    await settled();
    await type("second\r");
    await answer;
    const again = terminal.ask("Allow? ", running());
    await settled();
    await type(`${UP}${CTRL_P}${CTRL_Y}${UNDO}yes\r`);
    expect(await again).toBe("yes");
    for (let i = 0; i < 3; i += 1) await terminal.read("> ");
    void terminal.read("> ");
    await type(UP);
    expect(screen.show()).toMatch(/\n> second\|$/);
    await type(UP);
    expect(screen.show()).toMatch(/\n> first\|$/);
  });

  test.each([
    ["Chinese", "你好", "你"],
    ["emoji", "a😀", "a"],
    ["Japanese", "日本語", "日本"],
  ])("backspace deletes a whole character: %s", async (_, keys, left) => {
    const { terminal, type } = onTerminal();
    const line = terminal.read("> ");
    await type(`${keys}${BACKSPACE}\r`);
    expect(await line).toBe(left);
  });

  test("what comes at once, from a paste or an input method, lands at the cursor", async () => {
    const { terminal, type } = onTerminal();
    const line = terminal.read("> ");
    await type(`ab${LEFT}`);
    await type("你好");
    await type("\r");
    expect(await line).toBe("a你好b");
  });

  test("bytes that are no UTF-8 are replaced", async () => {
    const { terminal, input } = onTerminal();
    const line = terminal.read("> ");
    input.write(Buffer.from([0x61, 0xe4, 0xbd, 0x62, 0x0d]));
    expect(await line).toBe("a\uFFFDb");
  });

  test("a terminal made narrower or wider shows the prompt once", async () => {
    const { terminal, type, screen } = onTerminal({ columns: 10 });
    void terminal.read("> ");
    await type("one two three");
    screen.resize(30);
    terminal.print("event");
    expect(screen.show()).toBe("event\n> one two three|");
    await type("!");
    expect(screen.show()).toBe("event\n> one two three!|");
  });

  test.each([
    ["colours are left out", "a\u001b[1;31mb\u001b[0mc", "abc"],
    ["movements are left out", "a\u001b[2Jb\u001b[?1049hc", "abc"],
    ["a title hides nothing", "a\u001b]0;b\u0007c", "a]0;bc"],
    ["line ends of Windows", "a\r\nb", "a\nb"],
    ["a carriage return goes nowhere", "rm x\rls", "rm xls"],
    ["the direction of writing stays", "a\u202Eb\u2066c", "abc"],
    ["tabs", "a\tb", "a       b"],
  ])("text and questions are shown as they are: %s", async (_, text, seen) => {
    const { terminal, screen } = onTerminal();
    terminal.text(text);
    terminal.print(text);
    void terminal.ask(`${text}? `, running());
    await settled();
    expect(screen.show()).toBe(`${seen}\n${seen}\n${seen}? |`);
  });

  test.each([
    ["dimmed", {}, "\u001b[2mnote\u001b[22m\n"],
    ["plain with NO_COLOR", { NO_COLOR: "1" }, "note\n"],
  ])("a note is %s", (_, env, written) => {
    const { terminal, screen } = onTerminal({ env });
    terminal.note("note\n");
    expect(screen.written()).toBe(`\u001b[?2004h${written}`);
  });

  test("a note begins a line of its own where both streams share the screen, else it leaves stdout alone", () => {
    const { terminal, screen } = onTerminal();
    terminal.text("text");
    terminal.note("note");
    expect(screen.show()).toBe("text\nnote\n|");

    const { output } = createScreen(20);
    const [other, error] = [collector(), collector()];
    const apart = createTerminal({ input: new PassThrough(), output: other.stream, error: output, env: {} });
    const away = createTerminal({ input: new PassThrough(), output, error: error.stream, env: {} });
    open.push(apart, away);
    for (const each of [apart, away]) {
      each.text("te");
      each.note("note");
      each.text("xt");
    }
    expect([other.text(), error.text()]).toEqual(["text", "note\n"]);
  });

  test("Ctrl-Z stops the job with the terminal as the shell wants it, and comes back", async () => {
    const { terminal, type, setRawMode, screen } = onTerminal();
    void terminal.read("> ");
    const stop = vi.spyOn(process, "kill").mockImplementation(() => {
      expect(setRawMode).toHaveBeenLastCalledWith(false);
      expect(screen.marksPastes()).toBe(false);
      return true;
    });
    await type("half\u001a");
    expect(stop).toHaveBeenCalledWith(0, "SIGTSTP");
    expect(setRawMode).toHaveBeenLastCalledWith(true);
    expect(screen.marksPastes()).toBe(true);
    expect(screen.show()).toBe("^Z\n> half|");
  });

  test("Ctrl-C drops a half-typed line, as in a shell, and nothing else", async () => {
    const { terminal, type, screen } = onTerminal();
    const handler = vi.fn<() => void>();
    terminal.onInterrupt(handler);
    const line = terminal.read("> ");
    await type("half a 你好");
    await type(CTRL_C);
    expect(screen.show()).toBe("> half a 你好^C\n> |");
    await type("whole\r");
    expect(await line).toBe("whole");
    expect(handler).not.toHaveBeenCalled();
  });

  test("Ctrl-C calls who listens, and is the end of input when no one does", async () => {
    const { terminal, type } = onTerminal();
    const handler = vi.fn<() => void>();
    const stop = terminal.onInterrupt(handler);
    const line = terminal.read("> ");
    await type(`${CTRL_C}${CTRL_C}`);
    expect(handler).toHaveBeenCalledTimes(2);
    stop();
    await type(CTRL_C);
    expect(await line).toBeUndefined();
    expect(handler).toHaveBeenCalledTimes(2);
  });

  test("Ctrl-D on an empty line is the end of input, for a question too", async () => {
    const { terminal, type, screen } = onTerminal();
    const line = terminal.read("> ");
    const answer = terminal.ask("Allow? ", running());
    await settled();
    await type(CTRL_D);
    expect(await answer).toBeUndefined();
    expect(await line).toBeUndefined();
    expect(await terminal.read("> ")).toBeUndefined();
    expect(screen.show()).toBe("Allow?\n|");
  });

  test.each<[string, (one: ReturnType<typeof onTerminal>) => void]>([
    ["reading is an error", ({ input }) => input.destroy(new Error("EIO"))],
    ["reading ends", ({ input }) => input.end()],
    ["writing is an error", ({ screen }) => screen.output.destroy(new Error("EIO"))],
  ])("a terminal that is gone is the end of input, told once, whatever fails after it: %s", async (_what, hangUp) => {
    const one = onTerminal({ busy: "busy " });
    const { terminal, input, setRawMode } = one;
    setRawMode.mockImplementation(() => input.emit("error", new Error("EIO")));
    const told = vi.fn<() => void>();
    terminal.gone.addEventListener("abort", told);
    const line = terminal.read("> ");
    const answer = terminal.ask("Allow? ", running());
    hangUp(one);
    expect(await Promise.all([line, answer])).toEqual([undefined, undefined]);
    terminal.text("more");
    terminal.print("more");
    terminal.note("more");
    terminal.close();
    await settled();
    expect(told).toHaveBeenCalledTimes(1);
  });

  test("one whose reading merely ends is gone too: there Ctrl-D is a key", async () => {
    const { terminal, input } = onTerminal();
    input.end();
    await expect.poll(() => terminal.gone.aborted).toBe(true);
  });

  test.each([
    ["a part of a row", "half"],
    ["a row that is just full", "0123456789"],
    ["several rows", "0123456789 and more"],
    ["two lines", "one\ntwo"],
  ])("a reply that failed is taken off the screen, and only that: %s", (_what, reply) => {
    for (const busy of ["busy ", ""]) {
      const { terminal, screen } = onTerminal({ columns: 10, busy });
      terminal.print("before");
      terminal.text(reply);
      terminal.discard();
      terminal.text("after");
      terminal.print("end");
      expect(screen.show().replace("busy ", "").trimEnd()).toBe("before\nafter\nend\n|");
    }
  });

  test("Ctrl-D and the end of a program leave the terminal where it is", async () => {
    const { terminal, type } = onTerminal();
    await type(CTRL_D);
    terminal.close();
    await settled();
    expect(terminal.gone.aborted).toBe(false);
  });

  test("a long line without an end costs no more the longer it gets", () => {
    const { terminal, screen } = onTerminal({ columns: 80, busy: "busy " });
    for (let i = 0; i < 4000; i += 1) terminal.text("x".repeat(40)); // minutes when each looks at all before it
    expect(screen.show()).toBe(`${`${"x".repeat(80)}\n`.repeat(2000)}busy |`);
  }, 20_000);

  test.each([
    ["narrow", "x".repeat(25), 7],
    ["wide, of which one does not fit the row", "你".repeat(12), 7],
    ["tabs", "a\tb\tc\td", 20],
  ])("where a line goes on is known, in whatever pieces it comes: %s", (_what, line, columns) => {
    const whole = onTerminal({ columns, busy: "busy " });
    whole.terminal.text(line);
    const pieces = onTerminal({ columns, busy: "busy " });
    for (const piece of line) pieces.terminal.text(piece);
    expect(pieces.screen.show()).toBe(whole.screen.show());
  });

  test("close gives the terminal back, below all that was shown", async () => {
    const { terminal, type, input, setRawMode, screen } = onTerminal({ busy: "busy " });
    const line = terminal.read("> ");
    await type("half");
    expect(setRawMode).toHaveBeenLastCalledWith(true);
    expect(screen.marksPastes()).toBe(true);
    terminal.close();
    expect(screen.show()).toBe("> half\n|");
    expect(setRawMode).toHaveBeenLastCalledWith(false);
    expect(screen.marksPastes()).toBe(false);
    expect(input.isPaused()).toBe(true);
    expect(await line).toBeUndefined();
  });
});

describe("a pipe", () => {
  test.each<[string, (string | Buffer)[], string[]]>([
    ["lines at once", ["one\ntwo\n"], ["one", "two"]],
    ["a line in pieces", ["o", "ne\nt", "wo\n"], ["one", "two"]],
    ["no end of the last line", ["one\ntwo"], ["one", "two"]],
    ["CRLF", ["one\r\ntwo\r", "\nthree\r\n"], ["one", "two", "three"]],
    ["blank lines", ["\n   \nhi\n"], ["", "   ", "hi"]],
    ["a character in pieces", [Buffer.from([0xe4, 0xbd]), Buffer.from([0xa0, 0x0a])], ["你"]],
    ["bytes that are no UTF-8", [Buffer.from([0x61, 0xe4, 0xbd, 0x0a, 0xff, 0x0a])], ["a\uFFFD", "\uFFFD"]],
    ["control characters", ["a\0b\u001b[A\u0003\n"], ["a\0b\u001b[A\u0003"]],
    ["a long line", ["x".repeat(300_000), "y\n"], [`${"x".repeat(300_000)}y`]],
    ["nothing", [], []],
  ])("gives its lines in order: %s", async (_, chunks, lines) => {
    const { terminal, input } = onPipe();
    for (const chunk of chunks) input.write(chunk);
    input.end();
    expect(await readAll(terminal)).toEqual(lines);
  });

  test("far more lines than are read are not all taken in, and none is lost", async () => {
    const { terminal, input } = onPipe();
    const lines = Array.from({ length: 50_000 }, (_, i) => `line ${i}`);
    for (let i = 0; i < lines.length; i += 500) input.write(`${lines.slice(i, i + 500).join("\n")}\n`);
    input.end();
    await settled();
    expect(input.readableLength + input.writableLength).toBeGreaterThan(100_000);
    expect(await readAll(terminal)).toEqual(lines);
  });

  test("a question takes the next line, also before one who reads already", async () => {
    const { terminal, input, output } = onPipe();
    const prompt = terminal.read("> ");
    terminal.text("I delete it.");
    const answer = terminal.ask("Allow? ", running());
    input.write("y\nnext\n");
    expect([await prompt, await answer]).toEqual(["next", "y"]);
    terminal.print("done");
    expect(output.text()).toBe("I delete it.\nAllow? y\ndone\n");
  });

  test("a question takes a line that came before it", async () => {
    const { terminal, input } = onPipe();
    input.end("prompt\ny\nnext");
    expect(await terminal.read("> ")).toBe("prompt");
    expect(await terminal.ask("Allow? ", running())).toBe("y");
    expect(await terminal.read("> ")).toBe("next");
  });

  test("a question ends with the input", async () => {
    const { terminal, input } = onPipe();
    const answers = [terminal.ask("One? ", running()), terminal.ask("Two? ", running())];
    await settled();
    input.end();
    expect(await Promise.all(answers)).toEqual([undefined, undefined]);
  });

  test("an interrupted question takes no line", async () => {
    const { terminal, input } = onPipe();
    const turn = new AbortController();
    const answer = terminal.ask("Allow? ", turn.signal);
    turn.abort(new Error("stopped"));
    await expect(answer).rejects.toThrow("stopped");
    await expect(terminal.ask("Again? ", turn.signal)).rejects.toThrow("stopped");
    input.write("next\n");
    expect(await terminal.read("> ")).toBe("next");
  });

  test("output is what was said and no more: no prompts, no colours, no control characters", async () => {
    const { terminal, input, output, error } = onPipe();
    input.write("hi\n");
    await terminal.read("> ");
    terminal.text("one");
    terminal.text("\u001b[1m two\r\u0007\u009b2J \u202b3");
    terminal.note("a \u001b[31mnote");
    terminal.print("line\n");
    terminal.print("");
    terminal.text("end");
    terminal.close();
    expect(output.text()).toBe("one two2J \u202b3\nline\n\nend\n");
    expect(error.text()).toBe("a note\n");
  });

  test("output that no one reads any more is the end of input, and one is told", async () => {
    const { terminal, input, output } = onPipe();
    input.write("one\ntwo\n");
    await terminal.read("> ");
    expect(terminal.gone.aborted).toBe(false);
    output.stream.destroy(new Error("EPIPE"));
    await settled();
    terminal.text("more");
    expect(await terminal.read("> ")).toBeUndefined();
    expect(terminal.gone.aborted).toBe(true);
  });

  test("diagnostics that no one reads end nothing", async () => {
    const { terminal, input, error } = onPipe();
    error.stream.destroy(new Error("EPIPE"));
    await settled();
    terminal.note("a note");
    input.write("one\n");
    expect(await terminal.read("> ")).toBe("one");
    expect(terminal.gone.aborted).toBe(false);
  });

  test("the end of a pipe as input is not the end of what one sees", async () => {
    const { terminal, input } = onPipe();
    input.end();
    expect(await terminal.read("> ")).toBeUndefined();
    expect(terminal.gone.aborted).toBe(false);
  });

  test("a line that was taken as an answer is seen as one, an empty one too", async () => {
    const { terminal, input, output } = onPipe();
    input.write("delete it\nthanks\n\n");
    await terminal.read("> ");
    await terminal.ask("Sure?\n[y]es or [N]o: ", running());
    await terminal.ask("Again? ", running());
    expect(output.text()).toBe("Sure?\n[y]es or [N]o: thanks\nAgain? \n");
  });

  test("close ends pending reads while the input stays open, and leaves nothing behind", async () => {
    const listeners = process.listenerCount("SIGINT");
    const { terminal, input } = onPipe();
    const line = terminal.read("> ");
    terminal.close();
    expect(await line).toBeUndefined();
    expect(await terminal.read("> ")).toBeUndefined();
    expect(input.isPaused()).toBe(true);
    expect(process.listenerCount("SIGINT")).toBe(listeners);
  });

  test("SIGINT that comes twice for one key interrupts once", () => {
    const { terminal } = onPipe();
    const handler = vi.fn<() => void>();
    terminal.onInterrupt(handler);
    const now = vi.spyOn(performance, "now");
    for (const time of [1000, 1030, 1500]) {
      now.mockReturnValue(time);
      process.emit("SIGINT");
    }
    expect(handler).toHaveBeenCalledTimes(2);
  });
});

test("a terminal that can only write on is used as one: prompts, no cursor movements", async () => {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  const screen = createScreen(20);
  const terminal = createTerminal({ input, output: screen.output, error: screen.output, env: { TERM: "dumb" } });
  open.push(terminal);
  const line = terminal.read("> ");
  await settled();
  expect(screen.written()).toBe("> ");
  input.write("hi\n");
  expect(await line).toBe("hi");
});

describe("what a terminal reports is no text", () => {
  const ESC = "\u001b";
  test.each([
    ["the mouse", `${ESC}[<64;55;55M${ESC}[<0;1;1m`],
    ["the mouse, the old way", `${ESC}[M !!`],
    ["focus", `${ESC}[I${ESC}[O`],
    ["colours", `${ESC}]10;rgb:ffff/ffff/ffff${ESC}\\${ESC}]11;rgb:1414/1414/1414\u0007`],
    ["the clipboard", `${ESC}]52;c;aGVsbG8=${ESC}\\`],
    ["its kind", `${ESC}[?62;22c${ESC}[>0;276;0c${ESC}P!|00000000${ESC}\\`],
    ["the cursor and the size", `${ESC}[12;40R${ESC}[8;24;80t${ESC}[0n`],
    ["modes", `${ESC}[?2026;2$y${ESC}[?1u${ESC}P1$r0m${ESC}\\`],
    ["pictures", `${ESC}_Gi=1;OK${ESC}\\`],
    ["keys as codes", `${ESC}[97;5u`],
  ])("%s, also in pieces", async (_what, report) => {
    const { terminal, type, screen } = onTerminal();
    const line = terminal.read("> ");
    await type(`a${report}b`);
    for (let i = 1; i < report.length; i += 1) {
      await type(report.slice(0, i));
      await type(report.slice(i));
    }
    expect(screen.show()).toBe("> ab|");
    await type(`c${LEFT}${BACKSPACE}\r`);
    expect(await line).toBe("ac");
  });

  test.each([
    ["Enter, which sends the line", "\r", ["old", "new"]],
    ["Ctrl-C, which drops it", CTRL_C, ["new", undefined]],
  ])("one that breaks off does not swallow %s", async (_what, key, right) => {
    const { terminal, type } = onTerminal();
    const lines = [terminal.read("> "), terminal.read("> ")];
    await settled();
    await type(`old${ESC}]11;rgb:14${key}`);
    await type(`new\r${CTRL_D}`);
    expect(await Promise.all(lines)).toEqual(right);
  });

  test.each([
    ["Home", `${ESC}[H`, "!word"],
    ["Home, another", `${ESC}[1~`, "!word"],
    ["Ctrl-left", `${ESC}[1;5D`, "!word"],
    ["Alt-b", `${ESC}b`, "!word"],
    ["the left arrow of another mode", `${ESC}OD`, "wor!d"],
  ])("a key is one still, at once or in pieces: %s", async (_what, key, right) => {
    const { terminal, type } = onTerminal();
    for (const pieces of [[key], key.split("")]) {
      const line = terminal.read("> ");
      await type("word");
      for (const piece of pieces) await type(piece);
      await type("!\r");
      expect(await line).toBe(right);
    }
  });

  test("Escape alone, and Alt with a key that could begin a report, are keys", async () => {
    const handed: string[] = [];
    const take = withoutReports((typed) => void handed.push(typed));
    for (const key of [ESC, `${ESC}P`, `${ESC}[`]) {
      take(key);
      await expect.poll(() => handed.at(-1)).toBe(key);
    }
  });
});

function collector() {
  let text = "";
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk);
      done();
    },
  });
  return { stream, text: () => text };
}

/** A screen of endless height. It knows what a terminal's output may hold, and throws at anything else. */
function createScreen(columns: number, screenRows = 24) {
  const written = collector();
  let rows: string[][] = [[]]; // a wide character's second cell is ""
  let [row, column] = [0, 0];
  let pastesMarked = false;
  const output = Object.assign(
    new Writable({
      write(chunk, encoding, done) {
        written.stream.write(chunk, encoding);
        for (const [part] of String(chunk).matchAll(/\p{Cc}\[\??\d*[A-Za-z]|./gsu)) put(part);
        done();
      },
    }),
    { isTTY: true, columns, rows: screenRows },
  );

  function put(part: string): void {
    const [, count = "", command] = /^\p{Cc}\[(\d*)(.)$/su.exec(part) ?? [];
    if (command === "A") row = Math.max(0, row - Number(count));
    else if (command === "G") column = Number(count) - 1;
    else if (command === "J") rows = [...rows.slice(0, row), (rows[row] ?? []).slice(0, column)];
    else if (part === "\n") newRow();
    else if (/\[\?2004[hl]$/.test(part)) pastesMarked = part.endsWith("h");
    else if (part === "\t") for (let i = column % 8; i < 8; i += 1) put(" ");
    else if (command !== "m") character(part);
  }

  function newRow(): void {
    row += 1;
    column = 0;
    rows[row] ??= [];
  }

  function character(part: string): void {
    if (/\p{Cc}/u.test(part)) throw new Error(`on the screen: ${JSON.stringify(part)}`);
    const cells = /[\u2e80-\uffdc]|\p{Emoji_Presentation}/u.test(part) ? [part, ""] : [part];
    if (column + cells.length > output.columns) newRow();
    const line = (rows[row] ??= []);
    while (line.length < column) line.push(" ");
    line.splice(column, cells.length, ...cells);
    column += cells.length;
  }

  return {
    output,
    written: written.text,
    /** Whether the terminal puts marks around what is pasted. */
    marksPastes: () => pastesMarked,
    /** What is to be seen; `|` is the cursor. Trailing blanks are left out. */
    show: () =>
      rows
        .map((cells, i) => {
          if (i !== row) return cells.join("").trimEnd();
          const after = cells.slice(column).join("").trimEnd();
          const before = cells.slice(0, column).join("").padEnd(0);
          return `${before}|${after}`;
        })
        .join("\n"),
    /** Changes the width, as terminals do: what was wrapped is wrapped anew. Only for one wrapped line. */
    resize(to: number) {
      const cells = rows.flat();
      const at = rows.slice(0, row).flat().length + column;
      rows = [];
      for (let i = 0; i < cells.length; i += to) rows.push(cells.slice(i, i + to));
      [row, column] = [Math.floor(at / to), at % to];
      output.columns = to;
      output.emit("resize");
    },
  };
}
