import { clearScreenDown, createInterface, cursorTo, moveCursor } from "node:readline";
import { PassThrough, type Writable } from "node:stream";

/** A prompt with a half-typed line, drawn below all other output. */
export interface PromptLine {
  /** Draws it with the cursor between `before` and `after`. `open`: what stands on the output's last, unended line. */
  draw(open: string, before: string, after: string): void;
  /** Takes it off the screen and goes back to the end of the open line. Does nothing when none is drawn. */
  erase(): void;
}

/** Draws on a terminal. It measures with the terminal's width of the moment, so that it may be resized meanwhile. */
export function createPromptLine(output: Writable): PromptLine {
  // Readline knows how far a text reaches: wide characters, tabs, wrapping. It is asked, and never reads or writes.
  const ruler = createInterface({ input: new PassThrough(), output, terminal: false });
  const end = (text: string) => {
    ruler.setPrompt(text);
    return ruler.getCursorPos();
  };
  let drawn: { open: string; before: string } | undefined;

  return {
    draw(open, before, after) {
      const all = before + after;
      output.write((open && "\n") + all);
      // A row that is just full wraps only when more follows.
      if (all !== "" && end(all).cols === 0) output.write(" ");
      moveCursor(output, 0, end(before).rows - end(all).rows);
      cursorTo(output, end(before).cols);
      drawn = { open, before };
    },

    erase() {
      if (drawn === undefined) return;
      const start = end(drawn.open);
      // Where an open line just fills its row, its end is the beginning of the next.
      moveCursor(output, 0, -end(drawn.before).rows - (start.cols > 0 ? 1 : 0));
      cursorTo(output, start.cols);
      clearScreenDown(output);
      drawn = undefined;
    },
  };
}
