import { clearScreenDown, createInterface, cursorTo, moveCursor } from "node:readline";
import { PassThrough, type Writable } from "node:stream";

/** A prompt with a half-typed line, drawn below all other output. */
export interface PromptLine {
  /** Draws it with the cursor between its two parts. `open`: what stands on the output's last, unended line. */
  draw(open: string, before: string, after: string): void;
  /**
   * Takes it off the screen and goes back to the end of the open line. Does nothing when none is drawn.
   * @returns whether that is the beginning of a new row, since the open line just fills its own
   */
  erase(): boolean;
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

  let drawn: { open: string; before: string } | undefined;

  return {
    draw(open, whole, rest) {
      const [before, after] = fitting(whole, rest);
      const all = before + after;
      output.write((open && "\n") + all);
      // A row that is just full wraps only when more follows.
      if (all !== "" && end(all).cols === 0) output.write(" ");
      moveCursor(output, 0, end(before).rows - end(all).rows);
      cursorTo(output, end(before).cols);
      drawn = { open, before };
    },

    erase() {
      if (drawn === undefined) return false;
      const start = end(drawn.open);
      const onNewRow = drawn.open !== "" && start.cols === 0;
      moveCursor(output, 0, -end(drawn.before).rows - (start.cols > 0 ? 1 : 0));
      cursorTo(output, start.cols);
      clearScreenDown(output);
      drawn = undefined;
      return onNewRow;
    },
  };
}
