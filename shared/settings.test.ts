import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readSettings } from "./settings.ts";

function folder(dotenv?: string): string {
  const place = mkdtempSync(join(tmpdir(), "settings-"));
  onTestFinished(() => rmSync(place, { recursive: true }));
  if (dotenv !== undefined) writeFileSync(join(place, ".env"), dotenv);
  return place;
}

test.each([
  [
    "the file sets what the environment does not",
    'X_URL="http://h"\nX_MODEL=file # which',
    { X_KEY: "env" },
    { X_KEY: "env", X_URL: "http://h", X_MODEL: "file" },
  ],
  ["the environment wins", "X_MODEL=file", { X_MODEL: "env" }, { X_MODEL: "env" }],
  [
    "what is set to nothing is not set",
    "X_KEY=\nX_MODEL=file",
    { X_MODEL: " " },
    { X_KEY: undefined, X_MODEL: "file" },
  ],
  ["no file", undefined, { X_KEY: "env" }, { X_KEY: "env" }],
  [
    "a byte order mark, Windows line ends, export",
    "\ufeffexport X_KEY='a b'\r\nX_MODEL=m\r\n",
    {},
    { X_KEY: "a b", X_MODEL: "m" },
  ],
])("%s", (_what, dotenv, environment, right) => {
  expect(readSettings(folder(dotenv), environment)).toMatchObject(
    Object.fromEntries(Object.entries(right).filter(([, value]) => value !== undefined)),
  );
  for (const [name, value] of Object.entries(right))
    expect(readSettings(folder(dotenv), environment)[name]).toBe(value);
});
