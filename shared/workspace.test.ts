import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { absolutePath, isInside, realPath } from "./workspace.ts";

let place: string;
beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), "workspace-")));
  mkdirSync(join(place, "work/sub"), { recursive: true });
  mkdirSync(join(place, "work-old"));
  writeFileSync(join(place, "work/file"), "");
  symlinkSync(join(place, "work-old"), join(place, "work/out"));
  symlinkSync("../work-old/later/file", join(place, "work/dangling"));
  symlinkSync("dangling", join(place, "work/chain"));
  symlinkSync("sub", join(place, "work/in"));
  symlinkSync("circle", join(place, "work/circle"));
  symlinkSync(join(place, "work"), join(place, "alias"));
  onTestFinished(() => rmSync(place, { recursive: true }));
});

test.each([
  [".", "work"],
  ["file", "work/file"],
  ["new/deep/file", "work/new/deep/file"],
  ["in/new", "work/sub/new"],
  ["out/new", "work-old/new"],
  ["dangling", "work-old/later/file"],
  ["chain", "work-old/later/file"],
  ["dangling/more", "work-old/later/file/more"],
  ["file/beyond", "work/file/beyond"],
])("%s really is %s", (path, right) => {
  expect(realPath(join(place, "work", path))).toBe(join(place, right));
});

test.each([
  [true, "."],
  [true, "file"],
  [true, "sub/../new"],
  [true, "in/new"],
  [true, "..data"],
  [true, "circle"],
  [true, "a\0b"],
  [false, ".."],
  [false, "../work-old/x"],
  [false, "out"],
  [false, "out/new"],
  [false, "chain"],
  [false, "/etc/passwd"],
  [false, "/"],
  [false, "~/x"],
  [false, "~"],
  [true, "~x"],
])("inside: %s for %j", (right, path) => {
  expect(isInside(join(place, "work"), path)).toBe(right);
  expect(isInside(join(place, "alias"), path)).toBe(right);
});

test("a path of any length or depth is judged, not thrown at", () => {
  expect(isInside(place, `${"a/".repeat(20_000)}b`)).toBe(true);
  expect(isInside(place, `${"../".repeat(20_000)}etc`)).toBe(false);
});

test("the root is a workspace too", () => expect(isInside("/", "/etc/passwd")).toBe(true));

test("~ is the home folder, as in a shell", () => {
  expect(absolutePath("/w", "~/x")).toBe(join(homedir(), "x"));
  expect(absolutePath("/w", "~x/y")).toBe("/w/~x/y");
});
