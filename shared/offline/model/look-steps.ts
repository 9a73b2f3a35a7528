/** Steps that look: reading, listing, finding, searching, counting. */
import { posix } from "node:path";
import { findCommand, quote, shellPath } from "./hands.ts";
import { cut, excerpt, headline, linesOf, plain, tidy, title } from "./results.ts";
import { fileOf, folderOf, once, step, type Context, type Make } from "./step-kit.ts";
import { attempt, Failed, Stopped, type Means, type Step, type Work } from "./work.ts";
import { bullets, fenced, together } from "./words.ts";

/** By the rows' `does`. */
export const LOOK_STEPS: Record<string, Make | undefined> = {
  read(wish, means, context) {
    const { lists } = wish;
    const files = lists.files ?? lists.file ?? (context.file === undefined ? undefined : [context.file]);
    if (files === undefined) return undefined;
    context.read.push(...files);
    context.texts = [];
    return [readStep(files, wish.brief === true, means, context.texts)];
  },
  readBrief: ({ lists }, means) => [readStep(lists.files ?? lists.file ?? ["package.json"], true, means)],
  explain(wish, means, context) {
    const file = fileOf(wish, context);
    return file === undefined ? undefined : [step("lookAt", file, () => explain(file, means))];
  },
  list({ lists }, { hands, tell }) {
    const folders = lists.folders ?? ["."];
    const where = folders.join(" ") === "." ? tell("folder") : folders.join(", ");
    return [
      once(
        "lookAt",
        where,
        () => hands.list(folders),
        (output) => {
          const names = linesOf([{ output }]);
          return names.length === 0 ? tell("noEntries") : tell("entries", names.length, names.join(", "));
        },
      ),
    ];
  },
  find: (wish, means) => findStep(folderOf(wish), wildcardFor(wish.slots.kind ?? ""), means),
  findName: ({ lists }, means) => findStep(".", posix.basename(lists.file?.[0] ?? ""), means),
  search: (wish, means) =>
    searchStep(wish.slots.word ?? "", folderOf(wish), `-iF -e ${quote(wish.slots.word ?? "")}`, means),
  definition(wish, means) {
    const what = wish.slots.name ?? "";
    const pattern = `-E '(function|class|const|let|var|interface|type|def|fn|func) +${what.replaceAll("$", "[$]")}\\b'`;
    return /^[\w$]+$/.test(what) ? searchStep(what, ".", pattern, means) : undefined;
  },
  lines({ slots, lists }, { hands, tell, language }) {
    const count = (names: string[]): Step =>
      once(
        "check",
        tell("linesOf", together(names, language)),
        () => hands.run(`wc -l ${names.map(shellPath).join(" ")}`),
        (output) => {
          const counts = output.match(/(?<=^\s*)\d+(?=\s+\S)/gm) ?? [];
          return names.map((name, i) => tell("lines", name, counts[i] ?? "?")).join("\n");
        },
      );
    const files = lists.files ?? [];
    return slots.each === undefined
      ? [count(files)]
      : files.map((file) => Object.assign(count([file]), { improvised: true }));
  },
  countFiles(wish, { hands, tell }) {
    const { kind } = wish.slots;
    const line = `${findCommand(folderOf(wish), kind === undefined ? "" : `-name ${quote(wildcardFor(kind))}`)} | wc -l`;
    return [
      once(
        "check",
        tell("fileCount"),
        () => hands.run(line),
        (output) => tell("files", output.trim()),
      ),
    ];
  },
};

/** Reads files; names what is there instead where one is missing. */
export function* readAll(files: string[], { hands, tell, language }: Means): Work<{ name: string; text: string }[]> {
  const outcomes = yield* attempt(files.map((file) => hands.read(file)));
  const missing = files.filter((_, i) => outcomes[i]?.failed ?? true);
  const complaint = outcomes.filter(({ failed }) => failed);
  if (missing.length === 0) return files.map((name, i) => ({ name, text: plain(outcomes[i]?.output ?? "") }));
  if (
    !complaint.some(({ output }) => /no such file|not found|enoent|does not exist/i.test(output)) ||
    !hands.offers.shell
  )
    throw new Failed(complaint);
  const there = linesOf(yield* attempt([hands.list(["."])]));
  const what = there.length > 0 ? tell("whatIsThere", there.slice(0, 50).join(", ")) : tell("noEntries");
  throw new Stopped(tell("missing", together(missing, language), what));
}

/** What a file says, or in brief what it is about. */
function gist({ name, text }: { name: string; text: string }, brief: boolean, { tell }: Means): string {
  const body = tidy(text);
  if (body.trim() === "") return tell("emptyFile", name);
  const heading = brief && /\.(?:md|json)$/.test(name) && title(body) !== undefined;
  if (heading)
    return posix.basename(name) === "package.json"
      ? tell("thisIs", headline(body))
      : tell("about", name, headline(body));
  return tell("begins", name, body.split("\n").length, fenced(excerpt(body)));
}

const readStep = (files: string[], brief: boolean, means: Means, texts: Context["texts"] = []): Step =>
  step("read", together(files, means.language), function* () {
    texts.push(...(yield* readAll(files, means)));
    return texts.map((file) => gist(file, brief, means)).join("\n");
  });

/** A text search that passes over what no one means. */
function searchStep(what: string, folder: string, pattern: string, { hands, tell }: Means): Step[] {
  const line = `grep -rnI --exclude-dir=node_modules --exclude-dir=.git ${pattern} ${shellPath(folder)} | head -n 50`;
  return [
    once(
      "search",
      what,
      () => hands.run(line),
      (output) => {
        const found = linesOf([{ output }]).map((place) => cut(place.trim(), 200));
        return found.length === 0
          ? tell("nowhere")
          : tell("places", bullets(found.length > 10 ? [...found.slice(0, 10), "…"] : found));
      },
    ),
  ];
}

const findStep = (folder: string, wildcard: string, { hands, tell }: Means): Step[] => [
  once(
    "search",
    wildcard,
    () => hands.find(folder, wildcard),
    (output) => {
      const found = linesOf([{ output }]).toSorted();
      return found.length === 0 ? tell("noneFound") : tell("found", found.length, bullets(found));
    },
  ),
];

const EXTENSIONS: Record<string, string> = { typescript: "ts", javascript: "js", python: "py", markdown: "md" };

const wildcardFor = (kind: string): string =>
  kind.includes("*") ? kind : `*.${EXTENSIONS[kind.toLowerCase()] ?? kind.replace(/^\./, "")}`;

/** Its head comment, what it exports, and which tests speak of it. */
function* explain(file: string, means: Means): Work<string> {
  const { tell, hands } = means;
  const [{ text } = { text: "" }] = yield* readAll([file], means);
  if (/\.(?:md|json)$/.test(file)) return gist({ name: file, text }, true, means);
  const comment = /^\s*(?:#!.*\n)?\s*(?:\/\*\*?([^]*?)\*\/|((?:\/\/.*\n?)+)|((?:#.*\n?)+)|"""([^]*?)""")/
    .exec(text)
    ?.slice(1)
    .find(Boolean);
  const about = comment
    ?.split("\n")
    .map((line) => line.replace(/^\s*(?:\*|\/\/+|#+)?\s?/, "").trim())
    .filter(Boolean)
    .join(" ");
  const names = text.matchAll(
    /^(?:export )(?:default )?(?:async )?(?:function\*?|class|const|let|type|interface) (\w+)|^(?:def|class) (\w+)|^(?:module\.)?exports\.(\w+)/gm,
  );
  const exported = [...new Set([...names].map(([, ...found]) => found.find(Boolean) ?? ""))].slice(0, 20);
  const stem = posix.basename(file).replace(/\.\w+$/, "");
  const tests = hands.offers.shell
    ? linesOf(
        yield* attempt([
          hands.run(findCommand(".", `\\( -name ${quote(`${stem}.test.*`)} -o -name ${quote(`test_${stem}.*`)} \\)`)),
        ]),
      )
    : [];
  return [
    about === undefined ? gist({ name: file, text }, false, means) : tell("about", file, cut(about, 600)),
    ...(exported.length > 0 ? [tell("exports", exported.join(", "))] : []),
    ...(tests.length > 0 ? [tell("testedBy", tests.join(", "))] : []),
  ].join("\n");
}
