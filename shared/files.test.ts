import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { appendLine, locked, writeAtomic } from "./files.ts";
import { repositoryRoot } from "./settings.ts";

const { signal } = new AbortController();
const isRoot = process.getuid?.() === 0;

vi.setConfig({ testTimeout: 120_000 }); // for the processes: a busy machine takes seconds to start one

/** A folder for the test. */
function makePlace(): string {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "files-")));
  onTestFinished(() => rmSync(place, { recursive: true, force: true }));
  return place;
}

/** Where locks are, for as long as the test runs: a folder with nothing else in it. */
function makeLocks() {
  const folder = makePlace();
  vi.stubEnv("TMPDIR", folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  return { names: () => readdirSync(folder).filter((name) => name.endsWith(".lock")), path: join(folder, "/") };
}

/** A program that may use what this module has. */
const program = (body: string, file: string) => [
  "--import",
  "tsx",
  "--input-type=module",
  "-e",
  `import { locked, writeAtomic, appendLine } from ${JSON.stringify(new URL("files.ts", import.meta.url).href)};
   import { readSync, writeSync } from "node:fs";
   const { signal } = new AbortController();
   const file = ${JSON.stringify(file)};
   ${body}`,
];

/** Runs it in a process of its own: as an ordinary user, or after a command has prepared a root's own view of the disk. */
function runProgram(body: string, file: string, { ordinary = false, before = "" } = {}) {
  const start = ordinary && isRoot ? "process.setgroups([]); process.setgid(65534); process.setuid(65534);" : "";
  const node = [process.execPath, ...program(start + body, file)];
  const [command = "", ...args] = before
    ? ["unshare", "-rm", "sh", "-ec", `${before}; exec "$@"`, "sh", ...node]
    : node;
  const { status, stderr } = spawnSync(command, args, { cwd: repositoryRoot, encoding: "utf8" });
  return { status, stderr };
}

const canMount = spawnSync("unshare", ["-rm", "mount", "-t", "tmpfs", "none", "/mnt"]).status === 0;

/** The files of a folder with their content. Nothing of ours is among them when all is done. */
const contents = (folder: string) =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]));

function makeFolder(files: Record<string, string>) {
  const folder = join(makePlace(), "folder");
  mkdirSync(folder);
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return { folder, path: (name: string) => join(folder, name) };
}

describe("locked", () => {
  test("one after the other, whatever the path is called", async () => {
    const locks = makeLocks();
    const { folder, path } = makeFolder({ "a.txt": "" });
    symlinkSync(path("a.txt"), path("link"));
    let inside = 0;
    const names = ["a.txt", "link", "./a.txt", "../folder/a.txt"].map((name) => `${folder}/${name}`);
    const work = async () => {
      inside++;
      await new Promise((resolve) => setImmediate(resolve));
      return inside--;
    };
    expect(await Promise.all(names.map((name) => locked(name, signal, work)))).toEqual([1, 1, 1, 1]);
    expect(locks.names()).toEqual([]);
  });

  test("between processes: no count is lost", async () => {
    const { path } = makeFolder({ n: "0" });
    const count = `for (let i = 0; i < 5; i++) await locked(file, signal, async (stillOurs) => {
      const { readFile } = await import("node:fs/promises");
      await writeAtomic(file, String(Number(await readFile(file, "utf8")) + 1), stillOurs);
    });`;
    const start = () => spawn(process.execPath, program(count, path("n")), { cwd: repositoryRoot, stdio: "inherit" });
    const ends = await Promise.all([1, 2, 3].map(() => once(start(), "exit")));
    expect(ends.map(([status]) => status)).toEqual([0, 0, 0]);
    expect(readFileSync(path("n"), "utf8")).toBe("15");
  });

  test("a process that stood still and lost the lock does not write over what came after", async () => {
    const locks = makeLocks();
    const { folder, path } = makeFolder({ "a.txt": "old" });
    // It reads from its standard input and nothing else happens in it: as when it is stopped.
    const late = `await locked(file, signal, async (stillOurs) => {
      writeSync(1, "inside");
      readSync(0, Buffer.alloc(1));
      await writeAtomic(file, "late", stillOurs);
    })`;
    const child = spawn(process.execPath, program(late, path("a.txt")), { cwd: repositoryRoot });
    onTestFinished(() => void child.kill("SIGKILL"));
    let error = "";
    child.stderr.on("data", (piece) => (error += piece));
    await once(child.stdout, "data");
    const longAgo = Date.now() / 1000 - 60;
    for (const name of locks.names()) utimesSync(locks.path + name, longAgo, longAgo);
    await locked(path("a.txt"), signal, (stillOurs) => writeAtomic(path("a.txt"), "in time", stillOurs));
    child.stdin.end("x");
    const [status] = await once(child, "close");
    expect(contents(folder)).toEqual({ "a.txt": "in time" });
    expect(status).toBe(1);
    expect(error).toContain("somebody else went on with the file");
  });

  test.each([
    ["is taken over: the lock of another is not ours", true],
    ["is gone", false],
  ])("a lock that %s does not open the way", async (_what, again) => {
    const locks = makeLocks();
    const { folder, path } = makeFolder({ "a.txt": "old" });
    const work = locked(path("a.txt"), signal, async (stillOurs) => {
      const lock = locks.path + locks.names().join();
      rmSync(lock, { recursive: true });
      if (again) mkdirSync(lock);
      await writeAtomic(path("a.txt"), "late", stillOurs);
    });
    await expect(work).rejects.toThrow(/a\.txt was not changed/);
    expect(contents(folder)).toEqual({ "a.txt": "old" });
    expect(locks.names()).toHaveLength(again ? 1 : 0); // the other one's lock stays
  });

  test("Ctrl-C ends the wait; what the work throws comes out, and the next one gets in", async () => {
    const { path } = makeFolder({});
    const turn = new AbortController();
    const stopped = new Error("stopped");
    let waiting: Promise<unknown> = Promise.resolve();
    const work = locked(path("a.txt"), signal, async () => {
      waiting = locked(path("a.txt"), turn.signal, () => Promise.reject(new Error("never")));
      waiting.catch(() => {}); // it is looked at below
      turn.abort(stopped);
      await expect(waiting).rejects.toBe(stopped);
      throw new Error("broken");
    });
    await expect(work).rejects.toThrow("broken");
    await expect(locked(path("a.txt"), signal, async () => "in")).resolves.toBe("in");
    await expect(locked(path("a.txt"), turn.signal, async () => "in")).rejects.toBe(stopped);
  });
});

describe("writeAtomic", () => {
  test("makes a file with the folders it needs, and replaces it by something shorter", async () => {
    const { folder, path } = makeFolder({});
    await writeAtomic(path("deep/er/a.txt"), "héllo 😀");
    await writeAtomic(path("deep/er/a.txt"), "x");
    expect(contents(join(folder, "deep/er"))).toEqual({ "a.txt": "x" });
    expect(statSync(path("deep/er/a.txt")).mode & 0o777).toBe(0o666 & ~process.umask());
  });

  test.each([0o644, 0o755, 0o600, 0o4755, 0o200])("keeps mode %o", async (mode) => {
    const { path } = makeFolder({ "a.txt": "old" });
    chmodSync(path("a.txt"), mode);
    await writeAtomic(path("a.txt"), "new").catch(() => {}); // who may not read a file may not copy it
    expect(statSync(path("a.txt")).mode & 0o777).toBe(mode & 0o777);
  });

  test("who reads meanwhile has the whole old file", async () => {
    const { path } = makeFolder({ "a.txt": "old" });
    const reader = openSync(path("a.txt"), "r");
    await writeAtomic(path("a.txt"), "new content");
    expect(readFileSync(reader, "utf8")).toBe("old");
    expect(readFileSync(path("a.txt"), "utf8")).toBe("new content");
  });

  test("a kill right before the change leaves the old file, and what it leaves besides goes with the next write", async () => {
    const { folder, path } = makeFolder({ "a.txt": "old", ".write-me": "the user's" });
    const kill = `await writeAtomic(file, "new", () => process.kill(process.pid, "SIGKILL"));`;
    expect(runProgram(kill, path("a.txt")).status).toBe(null);
    expect(readFileSync(path("a.txt"), "utf8")).toBe("old");
    expect(readdirSync(folder)).toHaveLength(3);
    await writeAtomic(path("b.txt"), "b");
    expect(contents(folder)).toEqual({ "a.txt": "old", "b.txt": "b", ".write-me": "the user's" });
  });

  test("a kill in any moment leaves the old file or the new, whole", async () => {
    const { folder, path } = makeFolder({ "a.txt": "a".repeat(1_000_000) });
    const forEver = `for (let i = 1; ; i++) {
      await writeAtomic(file, (i % 2 ? "b" : "a").repeat(1_000_000));
      writeSync(1, ".");
    }`;
    for (const writes of [1, 4]) {
      const child = spawn(process.execPath, program(forEver, path("a.txt")), { cwd: repositoryRoot });
      let done = 0;
      child.stdout.on("data", (dots) => {
        done += dots.length;
        if (done >= writes) child.kill("SIGKILL");
      });
      await once(child, "close");
      expect(readFileSync(path("a.txt"), "utf8")).toMatch(/^(a{1000000}|b{1000000})$/);
    }
    await writeAtomic(path("a.txt"), "end");
    expect(contents(folder)).toEqual({ "a.txt": "end" });
  });

  test("what the check throws stops the change and leaves nothing behind, also of a new file", async () => {
    const { folder, path } = makeFolder({ "a.txt": "old", "two.txt": "old" });
    linkSync(path("two.txt"), path("names.txt"));
    const no = () => {
      throw new Error("no");
    };
    for (const name of ["a.txt", "two.txt", "b.txt"])
      await expect(writeAtomic(path(name), "new", no)).rejects.toThrow("no");
    expect(contents(folder)).toEqual({ "a.txt": "old", "two.txt": "old", "names.txt": "old" });
  });

  test("all names of a file have the new content", async () => {
    const { folder, path } = makeFolder({ "a.txt": "a longer content" });
    linkSync(path("a.txt"), path("b.txt"));
    await writeAtomic(path("a.txt"), "new");
    expect(contents(folder)).toEqual({ "a.txt": "new", "b.txt": "new" });
  });

  test("through a link, not over it; through a link to nothing, too", async () => {
    const { folder, path } = makeFolder({ "a.txt": "old" });
    symlinkSync("a.txt", path("link"));
    symlinkSync("b.txt", path("dangling"));
    await writeAtomic(path("link"), "new");
    await writeAtomic(path("dangling"), "b");
    expect(contents(folder)).toEqual({ "a.txt": "new", link: "new", "b.txt": "b", dangling: "b" });
    expect(statSync(path("a.txt")).nlink).toBe(1);
  });

  test("links that go round in a circle are an error, and stay", async () => {
    const { folder, path } = makeFolder({});
    symlinkSync("b", path("a"));
    symlinkSync("a", path("b"));
    symlinkSync("self", path("self"));
    for (const name of ["a", "self"]) await expect(writeAtomic(path(name), "new")).rejects.toThrow(/ELOOP/);
    expect(readdirSync(folder)).toEqual(["a", "b", "self"]);
  });

  test.each([245, 250, 255])("a name of %i bytes", async (length) => {
    const name = `${"é".repeat(100)}${"n".repeat(length - 204)}.txt`;
    const { folder, path } = makeFolder({});
    await writeAtomic(path(name), "old");
    await writeAtomic(path(name), "new");
    expect(contents(folder)).toEqual({ [name]: "new" });
  });

  test.each([0o444, 0o555, 0o400])("mode %o says that it must not be written, to root as well", async (mode) => {
    const { folder, path } = makeFolder({ "a.txt": "old" });
    chmodSync(path("a.txt"), mode);
    await expect(writeAtomic(path("a.txt"), "new")).rejects.toThrow(
      `a.txt is read-only (mode ${mode.toString(8).padStart(4, "0")})`,
    );
    expect(contents(folder)).toEqual({ "a.txt": "old" });
  });

  test("what is no file is not replaced by one", async () => {
    const { path } = makeFolder({});
    mkdirSync(path("d"));
    execFileSync("mkfifo", [path("pipe")]);
    for (const name of ["d", "pipe"])
      await expect(writeAtomic(path(name), "new")).rejects.toThrow("is not a regular file");
    expect(statSync(path("pipe")).isFIFO()).toBe(true);
  });

  test("a file that may be written in a folder that may not; nothing new in such a folder", () => {
    const { folder, path } = makeFolder({ "a.txt": "old" });
    for (const open of [join(folder, ".."), path("a.txt")]) chmodSync(open, 0o777);
    chmodSync(folder, 0o555);
    onTestFinished(() => chmodSync(folder, 0o755));
    expect(runProgram(`await writeAtomic(file, "new")`, path("a.txt"), { ordinary: true })).toMatchObject({
      status: 0,
    });
    const { status, stderr } = runProgram(`await writeAtomic(file, "new")`, path("b.txt"), { ordinary: true });
    expect([status, stderr]).toEqual([1, expect.stringContaining(`EACCES: permission denied, access '${folder}'`)]);
    expect(contents(folder)).toEqual({ "a.txt": "new" });
  });

  describe.skipIf(!isRoot)("as root, who can make files of others:", () => {
    test.each([false, true])("the owner stays the owner (written by an ordinary user: %s)", (ordinary) => {
      const { folder, path } = makeFolder({ "a.txt": "old" });
      chownSync(path("a.txt"), 12_345, 54_321);
      for (const open of [join(folder, ".."), folder, path("a.txt")]) chmodSync(open, 0o777);
      expect(runProgram(`await writeAtomic(file, "new")`, path("a.txt"), { ordinary })).toMatchObject({ status: 0 });
      expect(statSync(path("a.txt"))).toMatchObject({ uid: 12_345, gid: 54_321 });
      expect(contents(folder)).toEqual({ "a.txt": "new" });
    });

    test("another's file that this user may not write is refused", () => {
      const { folder, path } = makeFolder({ "a.txt": "old" });
      for (const open of [join(folder, ".."), folder]) chmodSync(open, 0o777);
      const { stderr } = runProgram(`await writeAtomic(file, "new")`, path("a.txt"), { ordinary: true });
      expect(stderr).toContain("EACCES: permission denied");
      expect(contents(folder)).toEqual({ "a.txt": "old" });
    });
  });

  const attribute = (name: string, path: string, value = "") =>
    spawnSync(
      "python3",
      [
        "-c",
        "import os,sys; a=sys.argv; print(os.setxattr(a[2],a[1],a[3].encode()) if a[3] else os.getxattr(a[2],a[1]).decode())",
        name,
        path,
        value,
      ],
      { encoding: "utf8" },
    );

  test("extended attributes stay", async ({ skip }) => {
    const { path } = makeFolder({ "a.txt": "old" });
    if (attribute("user.note", path("a.txt"), "kept").status !== 0) skip("nothing here can set one");
    await writeAtomic(path("a.txt"), "new");
    expect(attribute("user.note", path("a.txt")).stdout).toBe("kept\n");
    expect(readFileSync(path("a.txt"), "utf8")).toBe("new");
  });

  test("flags of the file system stay", async ({ skip }) => {
    const { path } = makeFolder({ "a.txt": "old" });
    if (spawnSync("chattr", ["+d", path("a.txt")]).status !== 0) skip("this file system has none");
    await writeAtomic(path("a.txt"), "new");
    expect(execFileSync("lsattr", [path("a.txt")], { encoding: "utf8" })).toMatch(/^\S*d/);
    expect(readFileSync(path("a.txt"), "utf8")).toBe("new");
  });

  describe.skipIf(!canMount)("where one may mount:", () => {
    test("what is mounted over a file is written", () => {
      const { folder, path } = makeFolder({ "a.txt": "under it" });
      writeFileSync(join(folder, "../mounted.txt"), "old");
      const before = `mount --bind '${join(folder, "../mounted.txt")}' '${path("a.txt")}'`;
      expect(runProgram(`await writeAtomic(file, "new")`, path("a.txt"), { before })).toMatchObject({ status: 0 });
      expect(readFileSync(join(folder, "../mounted.txt"), "utf8")).toBe("new");
      expect(contents(folder)).toEqual({ "a.txt": "under it" });
    });

    test.each([
      ["of one name", ":"],
      ["of two names", "ln a.txt b.txt"],
    ])("a full disk leaves a file %s as it is", (_what, link) => {
      const { folder, path } = makeFolder({});
      const before = `mount -t tmpfs -o size=64k none '${folder}'; cd '${folder}'; printf old > a.txt; ${link}; cd '${repositoryRoot}'`;
      const body = `
        const { readFile, readdir } = await import("node:fs/promises");
        const error = await writeAtomic(file, "x".repeat(100_000)).catch((error) => error.code);
        const left = await readdir(file.slice(0, -"/a.txt".length));
        console.error(error, await readFile(file, "utf8"), left.filter((name) => name.startsWith(".write")).length);`;
      expect(runProgram(body, path("a.txt"), { before }).stderr.trim()).toBe("ENOSPC old 0");
    });
  });
});

describe("appendLine", () => {
  test.each([
    ["no file yet", undefined, "new\n"],
    ["an empty file", "", "new\n"],
    ["whole lines", "one\ntwo\n", "one\ntwo\nnew\n"],
    ["a last line that is torn", 'one\n{"a":', 'one\n{"a":\nnew\n'],
    ["a last line that is torn within a character", Buffer.from([0x61, 0x0a, 0xe4, 0xbd]), "a\n\ufffd\nnew\n"],
  ])("after %s", (_what, before, after) => {
    const { path } = makeFolder({});
    mkdirSync(path("deep"));
    if (before !== undefined) writeFileSync(path("deep/log"), before);
    else rmSync(path("deep"), { recursive: true });
    appendLine(path("deep/log"), "new");
    expect(readFileSync(path("deep/log"), "utf8")).toBe(after);
  });

  test("a line has no line break", () => {
    const { path } = makeFolder({});
    expect(() => appendLine(path("log"), "a\nb")).toThrow("no line break");
    expect(existsSync(path("log"))).toBe(false);
  });

  test("lines of several processes do not mix", async () => {
    const { path } = makeFolder({});
    const add = `for (let i = 0; i < 50; i++) appendLine(file, String(process.pid).padEnd(20_000, "."));`;
    const start = () => spawn(process.execPath, program(add, path("log")), { cwd: repositoryRoot, stdio: "inherit" });
    await Promise.all([1, 2, 3].map(() => once(start(), "exit")));
    const lines = readFileSync(path("log"), "utf8").trimEnd().split("\n");
    expect(lines.filter((line) => /^\d+\.+$/.test(line) && line.length === 20_000)).toHaveLength(150);
  });

  test.skipIf(!canMount)("a line that does not fit on the disk is an error, and spoils no other", () => {
    const { folder, path } = makeFolder({});
    const before = `mount -t tmpfs -o size=16k none '${folder}'`;
    const body = `
      const { readFile, truncate } = await import("node:fs/promises");
      let error = "";
      try { appendLine(file, "x".repeat(30_000)); } catch (thrown) { error = thrown.message; }
      await truncate(file, 3);
      appendLine(file, "next");
      console.error(error, JSON.stringify(await readFile(file, "utf8")));`;
    expect(runProgram(body, path("log"), { before }).stderr.trim()).toBe(
      `${path("log")}: no room for the whole line "xxx\\nnext\\n"`,
    );
  });
});
