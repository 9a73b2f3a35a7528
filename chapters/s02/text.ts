/** What the file tools need to know of text files. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { buffer } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";

const MAX_BYTES = 10_000_000;

/**
 * Reads a text file as it is, byte order mark and line ends included.
 * @param name what to call it in an error
 * @throws when it is missing, a folder, too large, or not text in UTF-8
 */
export async function readText(path: string, name: string): Promise<string> {
  if (!(await isFile(path, name))) throw new Error(`${name} does not exist`);
  const bytes = await buffer(createReadStream(path, { end: MAX_BYTES })); // in /proc a size says nothing
  if (bytes.length > MAX_BYTES) throw new Error(`${name} has more than ${MAX_BYTES} bytes; use bash to see a part`);
  try {
    if (bytes.includes(0)) throw new Error("text has no zero bytes");
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Error(`${name} is a binary file, not text in UTF-8`);
  }
}

/** Whether there is a file. @throws for what is no regular file */
async function isFile(path: string, name: string): Promise<boolean> {
  const info = await stat(path).catch(() => undefined);
  if (info?.isDirectory() || name.endsWith("/")) throw new Error(`${name} is a folder`);
  if (info && !info.isFile()) throw new Error(`${name} is not a regular file`);
  return info !== undefined;
}

/**
 * Writes a text file, with the folders it needs. It is never there half: the old file stays until the new one is whole.
 * @throws the signal's reason when the turn is interrupted while somebody else changes the file
 */
export const writeText = (path: string, name: string, signal: AbortSignal, text: string): Promise<void> =>
  locked(path, name, signal, () => replaceFile(path, name, text));

/**
 * Changes a text file. Of two that do it at the same time, in other processes too, the second sees what the first did.
 * @throws the signal's reason when the turn is interrupted while somebody else changes the file
 */
export const changeText = (
  path: string,
  name: string,
  signal: AbortSignal,
  change: (text: string) => string,
): Promise<void> => locked(path, name, signal, async () => replaceFile(path, name, change(await readText(path, name))));

async function replaceFile(path: string, name: string, text: string): Promise<void> {
  await isFile(path, name); // a device or a pipe is not to be replaced by a file
  const { default: writeFileAtomic } = await import("write-file-atomic");
  await mkdir(dirname(path), { recursive: true });
  await writeFileAtomic(path, text);
}

/** Does something to a file while nobody else does. */
async function locked(path: string, name: string, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  const release = await lock(path, name, signal);
  try {
    signal.throwIfAborted();
    await work();
  } finally {
    await release().catch(() => {}); // somebody took it over: it was held for too long
  }
}

const LOCK_PAUSE = 20; // ms
const LOCK_LIMIT = 20_000; // ms; the lock that a killed process left behind is taken over after 10 seconds

/** Waits until a file is ours to change. @returns how to give it back */
async function lock(path: string, name: string, signal: AbortSignal): Promise<() => Promise<void>> {
  const { default: lockfile } = await import("proper-lockfile");
  const id = createHash("sha256").update(path).digest("hex");
  const options = {
    lockfilePath: join(tmpdir(), `edit-${process.getuid?.()}-${id}.lock`),
    realpath: false, // where there is no file, reading it says so
    onCompromised: () => {}, // it was held for too long; by default that ends the process
  };
  for (let waited = 0; ; waited += LOCK_PAUSE) {
    try {
      return await lockfile.lock(path, options);
    } catch (error) {
      const isLocked = error instanceof Error && "code" in error && error.code === "ELOCKED";
      if (!isLocked) throw error;
      if (waited > LOCK_LIMIT) throw new Error(`${name} is being changed by somebody else`, { cause: error });
      await delay(LOCK_PAUSE);
      signal.throwIfAborted();
    }
  }
}

/** Gives texts the line ends of a file that has Windows line ends throughout, so that an edit never mixes the two. */
export const endOfLine = (file: string): ((text: string) => string) =>
  file.includes("\r\n") && !/(?<!\r)\n/.test(file) ? (text) => text.replaceAll(/\r?\n/g, "\r\n") : (text) => text;

/** Where a part begins in a text, overlapping places included. */
export function occurrences(text: string, part: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) places.push(at);
  return places;
}

const MAX_LINES = 20;

/** Says how often a text was found, and in which lines. */
export function severalPlaces(text: string, places: number[]): string {
  const lines = new Set<number>();
  let line = 1;
  let from = 0;
  for (const at of places.slice(0, MAX_LINES)) {
    line += text.slice(from, at).split("\n").length - 1;
    from = at;
    lines.add(line);
  }
  const more = places.length > MAX_LINES ? ", …" : "";
  return `text found ${places.length} times, in lines ${[...lines].join(", ")}${more}; give more of the lines around it`;
}

/** A hint for a text that was not found: the line that is its first line but for white space, if there is one. */
export function nearestLine(text: string, part: string): string {
  const bare = (line: string) => line.replaceAll(/\s+/g, "");
  const wanted = part.split("\n").map(bare).find(Boolean);
  const lines = text.split("\n");
  const at = lines.findIndex((line) => wanted !== undefined && bare(line) === wanted);
  return at < 0 ? "" : `; but line ${at + 1} is ${JSON.stringify(lines[at])}: copy it exactly, white space too`;
}
