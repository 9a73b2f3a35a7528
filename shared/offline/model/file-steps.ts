/** Steps that change files and folders. */
import { posix } from "node:path";
import { quote, shellPath } from "./hands.ts";
import { readAll } from "./look-steps.ts";
import { emptyFile, fileSaying } from "./programs.ts";
import { excerpt, headline, linesOf, plain, tidy } from "./results.ts";
import { folderOf, once, step, type Make } from "./step-kit.ts";
import { act, attempt, Failed, Stopped, type Means, type Step, type Work } from "./work.ts";
import { fenced, together, type TextName } from "./words.ts";

/** By the rows' `does`. */
export const FILE_STEPS: Record<string, Make | undefined> = {
  summary({ lists }, means, context) {
    const [to] = lists.to ?? [];
    const { texts: earlier } = context;
    const sources = lists.files ?? (context.read.length > 0 ? context.read : undefined);
    if (to === undefined || sources === undefined) return undefined;
    const work = function* (): Work<string> {
      const texts = lists.files || earlier.length === 0 ? yield* readAll(sources, means) : earlier;
      const body = texts
        .filter(({ text }) => tidy(text) !== "")
        .map(({ text }) => `- ${headline(text)}\n`)
        .join("");
      return yield* create(to, `# ${means.tell("summary")}\n\n${body}`, [to], means);
    };
    return [step("create", to, work)];
  },
  create({ slots, lists }, means) {
    const [path] = lists.file ?? [];
    const { text, written } = slots;
    const content = slots.content ?? written;
    if (path === undefined || (text ?? content) === undefined) return undefined;
    // Words without quotes are no program; where words are not set off they may as well name what is to be written.
    const isBare = written !== undefined && slots.writtenQuoted === undefined;
    if (isBare && (/\.(?:[cm]?[jt]sx?|py|sh|json|html|css)$/.test(path) || /[^\x20-\x7e]/.test(written)))
      return undefined;
    return createSteps(
      [{ path, text: content === undefined ? fileSaying(path, text ?? "") : `${content.trimEnd()}\n` }],
      means,
    );
  },
  createFiles({ slots, lists }, means) {
    const folder = slots.folder ?? "";
    const paths = (lists.files ?? []).map((file) =>
      folder === "" || file.startsWith(`${folder}/`) ? file : posix.join(folder, file),
    );
    return createSteps(
      paths.map((path) => ({ path, text: emptyFile(path) })),
      means,
    );
  },
  createFolder({ slots }, { hands, tell }, context) {
    context.folder = slots.folder ?? "";
    return [
      once(
        "create",
        context.folder,
        () => hands.run(`mkdir -p ${shellPath(slots.folder ?? "")}`),
        () => tell("madeFolder", slots.folder ?? ""),
      ),
    ];
  },
  write({ slots, lists }, { hands, tell }) {
    const [file] = lists.file ?? lists.empty ?? [];
    if (file === undefined) return undefined;
    const { text, content } = slots;
    const body = lists.empty ? "" : text === undefined ? `${(content ?? "").trimEnd()}\n` : fileSaying(file, text);
    return [
      step("change", file, function* () {
        const first = hands.readsFirst(file);
        if (first.length > 0) yield* attempt(first);
        yield* act([hands.write(file, body)]);
        return tell(body === "" ? "emptied" : "wrote", file);
      }),
    ];
  },
  append({ slots, lists }, { hands, tell }) {
    const [file] = lists.file ?? [];
    const path = shellPath(file ?? "");
    const line = `[ -z "$(tail -c 1 ${path} 2>/dev/null)" ] || echo >> ${path}; printf '%s\\n' ${quote(slots.text ?? "")} >> ${path}`;
    return file === undefined
      ? undefined
      : [
          once(
            "change",
            file,
            () => hands.run(line),
            () => tell("changed", file),
          ),
        ];
  },
  replace({ slots, lists }, means) {
    const [file] = lists.file ?? [];
    return file === undefined
      ? undefined
      : [replaceStep(file, slots.from ?? "", slots.to ?? "", slots.all !== undefined, means)];
  },
  remove({ slots, lists }, means) {
    const [file] = lists.file ?? [];
    return file === undefined ? undefined : [replaceStep(file, slots.from ?? "", "", slots.all !== undefined, means)];
  },
  rename({ lists }, means) {
    const [[from = ""] = [], [to = ""] = []] = [lists.file, lists.to];
    return changeInto("rename", from, to, "mv", means.tell("renamed", from, to), means);
  },
  move(wish, means) {
    const [from = ""] = wish.lists.file ?? [];
    const folder = folderOf(wish);
    return changeInto(
      "move",
      from,
      posix.join(folder, posix.basename(from)),
      "mv",
      means.tell("moved", from, `${folder}/`),
      means,
    );
  },
  copy(wish, means) {
    const [from = ""] = wish.lists.file ?? [];
    const to = wish.lists.to?.[0] ?? posix.join(folderOf(wish), posix.basename(from));
    return changeInto("copy", from, to, "cp", means.tell("copied", from, to), means);
  },
  delete({ slots, lists }, { hands, tell, language }, context) {
    const files = lists.files ?? [];
    const { dir } = slots;
    // Without the word "folder" a name is a folder's only when it was called one before.
    if (slots.place !== undefined && slots.place !== context.folder) return undefined;
    const folder = dir ?? slots.place;
    const what = folder ?? together(files, language);
    const line = folder === undefined ? `rm ${files.map(shellPath).join(" ")}` : `rm -r ${shellPath(folder)}`;
    return [
      once(
        "delete",
        what,
        () => hands.run(line),
        () => tell("deleted", what),
      ),
    ];
  },
};

/** Looks whether files that are to be new are there, before the first of them is written. */
function* create(path: string, text: string, all: string[], { hands, tell }: Means): Work<string> {
  if (!hands.offers.write) {
    const write = String(Object.values(hands.write(path, text).input)[0]);
    const guarded = `ls -d ${shellPath(path)} 2>/dev/null || ${write.includes(" && ") ? `{ ${write}; }` : write}`;
    if (linesOf(yield* act([hands.run(guarded)])).length === 0) return tell("created", path);
  } else {
    const there = path === all[0] && hands.offers.shell ? linesOf(yield* act([hands.look(all)])) : [];
    if (!there.includes(posix.normalize(path)) && !there.includes(path)) {
      const others = all.filter((one) => one !== path && there.includes(posix.normalize(one)));
      if (others.length > 0) throw new Stopped(tell("inTheWay", others.join(", ")));
      yield* act([hands.write(path, text)]);
      return tell("created", path);
    }
  }
  const [is] = yield* attempt([hands.read(path)]);
  if (is && !is.failed && plain(is.output).trimEnd() === text.trimEnd()) return tell("saysSo", path);
  throw new Stopped(tell("alreadyThere", path));
}

export const createSteps = (files: { path: string; text: string }[], means: Means): Step[] =>
  files.map(({ path, text }) =>
    step("create", path, () =>
      create(
        path,
        text,
        files.map((file) => file.path),
        means,
      ),
    ),
  );

/** `command`, unless it would write over `to`. */
function changeInto(
  verb: TextName,
  from: string,
  to: string,
  program: string,
  report: string,
  { hands, tell }: Means,
): Step[] {
  return [
    step(verb, from, function* () {
      const there = yield* act([
        hands.run(`ls -d ${shellPath(to)} 2>/dev/null || ${program} ${shellPath(from)} ${shellPath(to)}`),
      ]);
      if (linesOf(there).length > 0) throw new Stopped(tell("inTheWay", to));
      return report;
    }),
  ];
}

/** Replaces a text in a file; says what the file says where it is not in it. */
function replaceStep(file: string, from: string, to: string, everywhere: boolean, { hands, tell }: Means): Step {
  return step("change", file, function* () {
    try {
      const first = hands.readsFirst(file);
      if (first.length > 0) yield* act(first, { quoting: true });
      yield* act([hands.edit(file, from, to, everywhere)]);
      return tell("changed", file);
    } catch (error) {
      if (
        !(error instanceof Failed) ||
        !/not found|not in|no match|no occurrence/i.test(error.outcomes[0]?.output ?? "")
      )
        throw error;
      const [is] = yield* attempt([hands.read(file)]);
      if (!is || is.failed) throw error;
      throw new Stopped(tell("noSuchText", file, fenced(excerpt(is.output))));
    }
  });
}
