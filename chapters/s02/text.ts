/** Text files, as the file tools read and write them. */
import { createHash } from "node:crypto";
import { createReadStream, readFileSync } from "node:fs";
import { stat } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { codeOf, locked, writeAtomic } from "shared/files";

/**
 * The text files that one agent works with. It is remembered what its model has seen of each: a model that writes a whole
 * file writes what it knows, and would undo what somebody else has changed since.
 * `path` is where a file really is, `name` what to call it in an error.
 */
export interface TextFiles {
  /** Reads a file as it is, byte order mark and line ends included. Throws when it is no text in UTF-8, or too large. */
  read(path: string, name: string): Promise<string>;
  /** Remembers that the model has seen a file. Who sees a part does not see what has changed in the others. */
  saw(path: string, text: string, part: "all" | "a part"): void;
  /** Writes a file. Throws when it is not as the model saw it last; a file that it never saw is replaced. */
  write(path: string, name: string, text: string, signal: AbortSignal): Promise<void>;
  /** Changes a file. Of two that do it at the same time, in other processes too, the second sees what the first did. */
  change(path: string, name: string, change: (text: string) => string, signal: AbortSignal): Promise<void>;
}

/** Makes the files of an agent. While another has one of them, the signal ends the wait with its reason. */
export function textFiles(): TextFiles {
  const seen = new Map<string, string>(); // fingerprints, by path

  async function read(path: string, name: string): Promise<string> {
    if (await isFile(path, name)) return readText(path, name);
    seen.set(path, MISSING);
    throw new Error(`${name} does not exist`);
  }

  return {
    read,
    saw(path, text, part) {
      if (part === "all" || !seen.has(path)) seen.set(path, fingerprint(text));
    },
    write: (path, name, text, signal) =>
      locked(path, signal, async (stillOurs) => {
        await isFile(path, name);
        await writeAtomic(path, text, () => {
          stillOurs();
          const known = seen.get(path);
          const there = fingerprintOf(path);
          if (known === undefined || there === known || there === MISSING) return;
          throw new Error(`${name} has changed since you last read it: read all of it again before you replace it`);
        });
        seen.set(path, fingerprint(text));
      }),
    change: (path, name, change, signal) =>
      locked(path, signal, async (stillOurs) => {
        const before = await read(path, name);
        const after = change(before);
        await writeAtomic(path, after, () => {
          stillOurs();
          if (fingerprintOf(path) !== fingerprint(before)) throw new Error(`${name} has just changed: try again`);
        });
        // What others had changed before, the model has still not seen.
        if (seen.get(path) === fingerprint(before)) seen.set(path, fingerprint(after));
      }),
  };
}

const MISSING = "there is none";

const fingerprint = (content: string | Buffer) => createHash("sha256").update(content).digest("hex");

function fingerprintOf(path: string): string {
  try {
    return fingerprint(readFileSync(path));
  } catch (error) {
    if (isMissing(error)) return MISSING;
    throw error;
  }
}

const isMissing = (error: unknown) => ["ENOENT", "ENOTDIR"].includes(codeOf(error) ?? "");

/** Whether there is a file. @throws for what is no regular file, and for links that go round in a circle */
async function isFile(path: string, name: string): Promise<boolean> {
  const info = await stat(path).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
  });
  if (info?.isDirectory() || name.endsWith("/")) throw new Error(`${name} is a folder`);
  if (info && !info.isFile()) throw new Error(`${name} is not a regular file`);
  return info !== undefined;
}

const MAX_BYTES = 10_000_000;

async function readText(path: string, name: string): Promise<string> {
  const bytes = await buffer(createReadStream(path, { end: MAX_BYTES })); // in /proc a size says nothing
  if (bytes.length > MAX_BYTES) throw new Error(`${name} has more than ${MAX_BYTES} bytes; use bash to see a part`);
  try {
    if (bytes.includes(0)) throw new Error("text has no zero bytes");
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Error(`${name} is a binary file, not text in UTF-8`);
  }
}
