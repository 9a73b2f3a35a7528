/** What the file tools need to know of text files. */
import { mkdir, readFile, stat } from "node:fs/promises";
import { dirname } from "node:path";

const MAX_BYTES = 10_000_000;

/**
 * Reads a text file as it is, byte order mark and line ends included.
 * @param name what to call it in an error
 * @throws when it is missing, a folder, too large, or not text in UTF-8
 */
export async function readText(path: string, name: string): Promise<string> {
  const info = await stat(path).catch(() => undefined);
  if (!info) throw new Error(`${name} does not exist`);
  if (info.isDirectory()) throw new Error(`${name} is a folder`);
  if (!info.isFile()) throw new Error(`${name} is not a regular file`);
  if (info.size > MAX_BYTES)
    throw new Error(`${name} has ${info.size} bytes, too many to read at once; use bash to see a part`);
  const bytes = await readFile(path);
  try {
    if (bytes.includes(0)) throw new Error("text has no zero bytes");
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Error(`${name} is a binary file, not text in UTF-8`);
  }
}

/** Writes a text file, with the folders it needs. It is never there half: the old file stays until the new one is whole. */
export async function writeText(path: string, text: string): Promise<void> {
  const { default: writeFileAtomic } = await import("write-file-atomic");
  await mkdir(dirname(path), { recursive: true });
  await writeFileAtomic(path, text);
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

/** The line, from 1, that a place in a text is in. */
export const lineNumber = (text: string, index: number): number => text.slice(0, index).split("\n").length;

/** A hint for a text that was not found: the line that is its first line but for white space, if there is one. */
export function nearestLine(text: string, part: string): string {
  const bare = (line: string) => line.replaceAll(/\s+/g, "");
  const wanted = part.split("\n").map(bare).find(Boolean);
  const lines = text.split("\n");
  const at = lines.findIndex((line) => wanted !== undefined && bare(line) === wanted);
  return at < 0 ? "" : `; but line ${at + 1} is ${JSON.stringify(lines[at])}: copy it exactly, white space too`;
}
