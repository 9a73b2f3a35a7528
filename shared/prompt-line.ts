import { clearScreenDown, createInterface, cursorTo, moveCursor } from "node:readline";
import { PassThrough, type Writable } from "node:stream";

/** A prompt with a half-typed line, drawn below all other output. */
export interface PromptLine {
  /** Says that this text was written, so that it is known where the next one goes on. Only while no prompt is drawn. */
  wrote(text: string): void;
  /** Whether what was written ends in the middle of a line. */
  isLineOpen(): boolean;
  /** Draws the prompt with the cursor between its two parts. */
  draw(before: string, after: string): void;
  /**
   * Takes it off the screen and goes back to where the output ends. Does nothing when none is drawn.
   * @returns whether that is the beginning of a new row, because the open line just fills its own
   */
  erase(): boolean;
  /** Takes a text off the screen that was written last. Gives false, and does nothing, when it began above the screen. */
  eraseText(text: string): boolean;
}

/** Draws on a terminal. It measures with the terminal's width of the moment, so that it may be resized meanwhile. */
export function createPromptLine(output: Writable & { rows?: number; columns?: number }): PromptLine {
  // Readline knows how far a text reaches: wide characters, tabs, wrapping. It is asked, and never reads or writes.
  const ruler = createInterface({ input: new PassThrough(), output, terminal: false });
  const end = (text: string) => {
    ruler.setPrompt(text);
    return ruler.getCursorPos();
  };

  /** What can be drawn: the end of it when it is taller than the screen, as nothing above the screen could be erased. */
  function fitting(before: string, after: string): [string, string] {
    const { rows, columns } = output;
    if (!rows || !columns) return [before, after]; // it does not say how large it is
    const limit = Math.max(1, rows - 2);
    const all = before + after;
    if (all.length <= limit * columns && end(all).rows < limit) return [before, after];
    const rest = after.slice(0, columns);
    let tail = before.slice(-limit * columns);
    while (tail !== "" && end(`…${tail}${rest}`).rows >= limit) tail = tail.slice(Math.ceil(columns / 2));
    return [`…${tail}`.toWellFormed(), rest.toWellFormed()];
  }

  // The cells that the output's last line fills, as far as it is written. Only their number: a line may be very long.
  let cells = 0;
  let drawn: string | undefined;
  const column = () => cells % (output.columns || Number.POSITIVE_INFINITY);

  return {
    wrote(text) {
      const line = text.slice(text.lastIndexOf("\n") + 1);
      if (line !== text) cells = 0;
      const { columns } = output;
      const { rows, cols } = columns ? end(" ".repeat(column()) + line) : { rows: 0, cols: cells + line.length };
      cells += rows * (columns ?? 0) + cols - column();
    },

    isLineOpen: () => cells > 0,

    draw(whole, rest) {
      const [before, after] = fitting(whole, rest);
      const all = before + after;
      output.write((cells > 0 ? "\n" : "") + all);
      // A row that is just full wraps only when more follows.
      if (all !== "" && end(all).cols === 0) output.write(" ");
      moveCursor(output, 0, end(before).rows - end(all).rows);
      cursorTo(output, end(before).cols);
      drawn = before;
    },

    erase() {
      if (drawn === undefined) return false;
      moveCursor(output, 0, -end(drawn).rows - (column() > 0 ? 1 : 0));
      cursorTo(output, column());
      clearScreenDown(output);
      drawn = undefined;
      return cells > 0 && column() === 0;
    },

    eraseText(text) {
      const { rows } = end(text);
      if (rows >= (output.rows ?? 0)) return false;
      output.write(" "); // the row may be just full
      moveCursor(output, 0, -rows);
      cursorTo(output, 0);
      clearScreenDown(output);
      cells = 0;
      return true;
    },
  };
}
