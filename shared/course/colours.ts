import { createColors } from "picocolors";

/** Colours for a stream: none when it is no terminal, or when NO_COLOR is set. */
export const colours = (stream: { isTTY?: boolean }): ReturnType<typeof createColors> =>
  createColors(Boolean(stream.isTTY) && !process.env.NO_COLOR);
