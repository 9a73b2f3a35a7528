/** Files that agents in several processes, and people, change at the same time: one after the other, and never half. */
import { execFile } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import {
  accessSync,
  closeSync,
  constants,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
  type Stats,
} from "node:fs";
import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { realPath } from "./workspace.ts";

/** To be called right before a change: throws when the change must not be made. */
export type Check = () => void;

const PAUSE = 20; // ms
const LIMIT = 20_000; // ms; a lock whose process was killed or stands still is taken over after 10 seconds

/**
 * Does something to a file while nobody else does who asks in this way, in this process or another. A process that stood
 * still for more than 10 seconds (stopped, asleep, busy) loses the lock to whoever waits. When it wakes it must not go on
 * as if nothing had happened: `work` calls `stillOurs` right before each change, or hands it to `writeAtomic`.
 *
 * The lock is a folder in the folder for temporary files. A kill leaves it there, for 10 seconds or until it is next asked for.
 * @throws the signal's reason when it aborts during the wait; an error when somebody else has the lock for 20 seconds
 */
export async function locked<Result>(
  path: string,
  signal: AbortSignal,
  work: (stillOurs: Check) => Promise<Result>,
): Promise<Result> {
  const { default: lockfile } = await import("proper-lockfile");
  const place = realPath(resolve(path)); // however it is written, it is one file
  const name = createHash("sha256").update(place).digest("hex");
  const lock = join(tmpdir(), `edit-${process.getuid?.()}-${name}.lock`);
  const options = { lockfilePath: lock, realpath: false, onCompromised: () => {} }; // `stillOurs` finds out in time
  let release: (() => Promise<void>) | undefined;
  for (let waited = 0; !release; waited += PAUSE) {
    try {
      release = await lockfile.lock(place, options);
    } catch (error) {
      if (codeOf(error) !== "ELOCKED") throw error;
      if (waited > LIMIT) throw new Error(`${path} is being changed by somebody else`, { cause: error });
      await delay(PAUSE);
      signal.throwIfAborted();
    }
  }
  const ours = identity(lock);
  try {
    signal.throwIfAborted();
    return await work(() => {
      if (ours !== undefined && identity(lock) === ours) return;
      throw new Error(`${path} was not changed: this process stood still, and somebody else went on with the file`);
    });
  } finally {
    if (identity(lock) === ours) await release().catch(() => {}); // else it is somebody else's to give back
  }
}

/** Tells a folder from another that was made in its place. */
function identity(path: string): string | undefined {
  const info = statSync(path, { bigint: true, throwIfNoEntry: false });
  return info && `${info.ino} ${info.birthtimeNs}`;
}

/**
 * Gives a file a new content, and makes it and its folders where there is none. It stays what it is: owner, mode and all
 * attributes, and all its names. Whoever may not write it (a mode without any right to write counts for root, too) gets
 * an error, and nothing is changed.
 *
 * A kill in any moment leaves the old content or the new, whole. What it can leave besides is a copy, `.write-…`, in the
 * same folder, which goes with the next write there. Where a copy cannot take the file's place (it has several names,
 * belongs to somebody else, is mounted, has special flags, its folder may not be written), it is overwritten: then a kill
 * in the middle of that leaves a mixture. A full disk does not: the old content is put back.
 * @param check called when all is ready: what it throws stops the change
 */
export async function writeAtomic(path: string, content: string, check: Check = () => {}): Promise<void> {
  const place = realPath(resolve(path)); // written through a link, not over it
  const bytes = Buffer.from(content);
  const old = statSync(place, { throwIfNoEntry: false });
  if (old) refuseUnwritable(place, old);
  else {
    mkdirSync(dirname(place), { recursive: true });
    accessSync(dirname(place), constants.W_OK); // an error that names the folder, not our copy
  }
  await removeLeftCopies(dirname(place));
  const copy = join(dirname(place), `.write-${process.pid}-${randomBytes(4).toString("hex")}`);
  try {
    if (old && !(await copyWhole(place, old, copy))) return overwrite(place, bytes, check);
    write(copy, bytes, constants.O_CREAT);
    check(); // from here on without a pause
    try {
      renameSync(copy, place);
    } catch (error) {
      if (!old || codeOf(error) !== "EBUSY") throw error;
      overwrite(place, bytes, check); // something is mounted there
    }
  } finally {
    rmSync(copy, { force: true });
  }
}

function refuseUnwritable(path: string, info: Stats): void {
  if (!info.isFile()) throw new Error(`${path} is not a regular file`);
  const mode = (info.mode & 0o7777).toString(8).padStart(4, "0");
  if ((info.mode & 0o222) === 0) throw new Error(`${path} is read-only (mode ${mode})`);
  accessSync(path, constants.W_OK);
}

const run = promisify(execFile);

/** Makes a copy that is the same in everything but its name. @returns whether that is possible */
async function copyWhole(path: string, info: Stats, copy: string): Promise<boolean> {
  if (info.nlink > 1) return false;
  try {
    // Node copies no extended attributes. The flags of a file system are not copied by anybody.
    const flags = run("lsattr", ["-d", path]).then(
      ({ stdout }) => !/^[-eN]* /.test(stdout), // stored in extents or inline: not the user's doing
      () => false, // a system or file system without
    );
    await run("cp", ["-a", path, copy]);
    const made = statSync(copy);
    return !(await flags) && made.mode === info.mode && made.uid === info.uid && made.gid === info.gid;
  } catch {
    return false;
  }
}

/** Writes over what is there. When that fails, the disk being full, say, what was there is put back. */
function overwrite(path: string, bytes: Buffer, check: Check): void {
  const old = readFileSync(path);
  check();
  try {
    write(path, bytes);
  } catch (error) {
    write(path, old); // needs no more room than it had
    throw error;
  }
}

/** What is longer is cut off last: until then it keeps its room on the disk. */
function write(path: string, bytes: Buffer, flags = 0): void {
  const file = openSync(path, constants.O_WRONLY | flags);
  try {
    for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at, bytes.length - at, at);
    ftruncateSync(file, bytes.length);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Removes the copies of processes that were killed. */
async function removeLeftCopies(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const pid = /^\.write-(\d+)-[0-9a-f]{8}$/.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(folder, name), { force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}

/**
 * Adds a line to a file, and makes it and its folder where there is none. It is one write to the end: lines of several
 * processes do not mix, and when this returns the line is on the disk. A kill (or a full disk, which is an error) leaves
 * the line, nothing of it, or its beginning. Such a torn line is ended by the next call, so that it spoils no other.
 */
export function appendLine(path: string, line: string): void {
  if (line.includes("\n")) throw new Error("a line has no line break in it");
  mkdirSync(dirname(path), { recursive: true });
  const file = openSync(path, "a+");
  try {
    const { size } = fstatSync(file);
    const last = Buffer.alloc(1);
    const torn = size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last.toString() !== "\n";
    const bytes = Buffer.from(`${torn ? "\n" : ""}${line}\n`);
    if (writeSync(file, bytes) < bytes.length) throw new Error(`${path}: no room for the whole line`);
    fdatasyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** The code of a system's error, such as ENOENT. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
