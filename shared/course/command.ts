/** How the course's commands begin and end: with a line about what their user could do better, and no trace. */
import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** What a command cannot do, said to its user. */
class Complaint extends Error {}

/** Ends a command with a line about what its user could do better. */
export function complain(line: string): never {
  throw new Complaint(line);
}

/** Runs a command when its file is the program that was started. A reader who leaves (`| head`) ends it in silence. */
export async function runCommand({ url }: ImportMeta, main: (words: string[]) => unknown): Promise<void> {
  const [, program, ...words] = process.argv;
  if (!program || realpathSync(program) !== fileURLToPath(url)) return;
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit(0);
  });
  try {
    await main(words);
  } catch (error) {
    if (!(error instanceof Complaint)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
