import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { readSettings, type Settings } from "./settings.ts";

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

describe("key and address come from one place", () => {
  const URL = "ANTHROPIC_BASE_URL";
  const KEY = "ANTHROPIC_API_KEY";
  const TOKEN = "ANTHROPIC_AUTH_TOKEN";
  test.each<[string, Settings, string, Settings, RegExp]>([
    ["an address beside the environment's key", { [KEY]: "k" }, `${URL}=http://h`, { [KEY]: "k" }, /BASE_URL in \.env/],
    ["an address beside its token", { [TOKEN]: "t" }, `${URL}=http://h`, { [TOKEN]: "t" }, /BASE_URL in \.env/],
    ["a key beside its address", { [URL]: "http://e" }, `${KEY}=k`, { [URL]: "http://e" }, /API_KEY in \.env/],
    [
      "both, beside its key",
      { [KEY]: "k" },
      `${TOKEN}=t\n${URL}=http://h`,
      { [KEY]: "k" },
      /AUTH_TOKEN and .*BASE_URL/,
    ],
    ["both from the file", { [KEY]: " " }, `${KEY}=k\n${URL}=http://h`, { [KEY]: "k", [URL]: "http://h" }, /^$/],
    [
      "both from the environment, each in place of the file's",
      { [KEY]: "k", [URL]: "http://e" },
      `${KEY}=f\n${URL}=http://h`,
      { [KEY]: "k", [URL]: "http://e" },
      /^$/,
    ],
  ])("%s", (_what, environment, dotenv, right, note) => {
    const notes: string[] = [];
    const settings = readSettings(folder(`${dotenv}\nMODEL_ID=m`), environment, (text) => void notes.push(text));
    expect({ [KEY]: settings[KEY], [TOKEN]: settings[TOKEN], [URL]: settings[URL] }).toEqual(right);
    expect(settings.MODEL_ID).toBe("m");
    expect(notes.join("\n")).toMatch(note);
    expect(notes.join()).not.toMatch(/http:/); // it may hold a password
  });
});
