/** What the offline model can do: a table of intents, each with how it is understood and how it is done. */
import { posix } from "node:path";
import type { Clause } from "./clauses.ts";
import { findCommand, quote, shellPath, type Hands, type ToolCall } from "./hands.ts";
import * as phrases from "./phrases.ts";
import {
  arithmetic,
  arithmeticTest,
  emptyFile,
  fileSaying,
  isScript,
  OPERATIONS,
  runCommand,
  testPath,
  type Operation,
} from "./programs.ts";
import { cut, excerpt, headline, isNothing, linesOf, tidy, title } from "./results.ts";
import type { Outcome } from "./turn.ts";
import type { Verb, Words } from "./words.ts";

/** One reply with calls. */
export interface PlanStep {
  verb: Verb;
  object: string;
  /** A file this makes out of nothing or out of words that may mean another thing: one that is there stays as it is. */
  mustBeNew?: string;
  /** The calls; `done` is what came of all steps before. */
  calls(done: Outcome[]): ToolCall[];
  /** What to tell the user about the outcomes of this step. */
  report(outcomes: Outcome[]): string;
}

export interface Plan {
  steps: PlanStep[];
  /** What to say besides, when all is done. */
  remark?: string;
  /** Begun without a to-do list, though it has several steps. */
  improvised?: boolean;
  /** Not understood, so that what comes behind it in the prompt has lost its ground. */
  ends?: boolean;
}

/** What is at hand when a plan is made. */
export interface Means {
  hands: Hands;
  words: Words;
  /** Three prompts to try that fit the tools. */
  suggestions: string[];
  /** Names of the tools offered. */
  tools: string[];
}

export interface Intent {
  name: string;
  understands(clause: Clause): ((means: Means) => Plan) | undefined;
}

/** An intent whose match goes into its plan; `understands` gives nothing when something else is meant. */
function intent<Match>(
  name: string,
  understands: (clause: Clause) => Match | undefined,
  plan: (match: Match, means: Means) => Plan,
): Intent {
  return {
    name,
    understands(clause) {
      const match = understands(clause);
      return match === undefined ? undefined : (means) => plan(match, means);
    },
  };
}

/** The first intent that understands decides, so the special ones stand before the general ones. */
export const INTENTS: Intent[] = [
  talk("greeting", phrases.GREETING, ({ words, suggestions }) => `${words.hello}\n\n${words.tryThese(suggestions)}`),
  talk("thanks", phrases.THANKS, ({ words }) => words.welcome),
  talk("tools", phrases.TOOLS, ({ words, tools }) => words.tools(tools)),
  talk("help", phrases.HELP, ({ words, suggestions }) => `${words.hello}\n\n${words.tryThese(suggestions)}`),

  intent("run", commandAsked, (line, { hands, words }) => plan(runStep(line, hands, words))),
  intent("install", partAsked(phrases.INSTALL, "what"), (name, { hands, words }) =>
    plan(runStep(`npm install ${quote(name)}`, hands, words)),
  ),
  intent("commit", partAsked(phrases.COMMIT, "message"), (message, { hands, words }) =>
    plan(runStep(`git add -A && git commit -m ${quote(message || words.commitMessage)}`, hands, words)),
  ),
  intent("diff", whenSaid(phrases.DIFF), (_, { hands, words }) => plan(runStep("git diff HEAD", hands, words))),
  intent("commits", commitsAsked, (count, { hands, words }) =>
    plan(question(words.commits, `git log --oneline -n ${count}`, words.answer, hands)),
  ),

  intent("clear out", whenSaid(phrases.CLEAR_OUT), (_, { hands, words }) => ({
    steps: [question(words.folder, "du -sh -- *", words.answer, hands)],
    remark: words.nameWhatToDelete,
  })),
  intent("rename", twoFilesAfter(phrases.RENAME), ([from, to], { hands, words }) =>
    plan({
      ...commandStep("rename", from, `mv ${shellPath(from)} ${shellPath(to)}`, words.renamed(from, to), hands),
      mustBeNew: to,
    }),
  ),
  intent("copy", twoFilesAfter(phrases.COPY), ([from, to], { hands, words }) =>
    plan({
      ...commandStep("copy", from, `cp ${shellPath(from)} ${shellPath(to)}`, words.copied(from, to), hands),
      mustBeNew: to,
    }),
  ),
  intent("delete", deletionAsked, ({ paths, command }, { hands, words }) =>
    plan(commandStep("delete", words.and(paths), command, words.deleted(words.and(paths)), hands)),
  ),
  intent("replace", replacementAsked, ({ file, from, to }, { hands, words }) =>
    plan({
      verb: "change",
      object: file,
      calls: () => [hands.edit(file, from, to)],
      report: () => words.changed(file),
    }),
  ),
  intent("append", additionAsked, ({ file, content }, { hands, words }) => appendPlan(file, content, hands, words)),

  intent("summary file", summaryAsked, summaryPlan),
  intent("arithmetic", arithmeticAsked, (files, { hands, words }) =>
    plan(...files.map((file) => createStep(file.path, () => file.content, file.explicit, hands, words))),
  ),
  intent("create files", filesToCreate, (files, { hands, words }) =>
    plan(...files.map((file) => createStep(file.path, () => file.content, file.explicit, hands, words))),
  ),
  intent("create folder", folderToCreate, (folder, { hands, words }) =>
    plan(commandStep("create", folder, `mkdir -p ${shellPath(folder)}`, words.madeFolder(folder), hands)),
  ),

  intent(
    "change beyond the rules",
    (clause) => (clause.says(phrases.CHANGING) ? clause.text : undefined),
    (text, { words }) => ({ steps: [], remark: words.beyond(text), ends: true }),
  ),
  intent("fix", filesAfter(phrases.FIX), (files, { hands, words }) => ({
    steps: [readStep(files, hands, words)],
    remark: words.onlyRules,
  })),
  intent("count lines", lineCountAsked, lineCountPlan),
  intent("count words", wordCountAsked, (line, { hands, words }) => plan(runStep(line, hands, words))),
  intent("count files", fileCountAsked, (line, { hands, words }) =>
    plan(question(words.fileCount, line, words.files, hands)),
  ),
  intent("find definition", definitionAsked, searchPlan),
  intent("package", packageFieldAsked, (line, { hands, words }) => plan(runStep(line, hands, words))),
  intent("is it there", existenceAsked, (files, { hands, words }) =>
    plan({
      verb: "search",
      object: words.and(files),
      calls: () => [hands.look(files)],
      report: (outcomes) => words.found(linesOf(outcomes)),
    }),
  ),
  intent("find files", kindOfFiles, findPlan),
  intent("read", filesAfter(phrases.READ), (files, { hands, words }) => plan(readStep(files, hands, words))),

  intent("branch", whenSaid(phrases.BRANCH), (_, { hands, words }) =>
    plan(question(words.branchObject, "git branch --show-current", words.branch, hands)),
  ),
  intent("changes", whenSaid(phrases.CHANGES), (_, { hands, words }) =>
    plan(question(words.changeList, "git status --short && git diff --stat", words.changes, hands)),
  ),
  intent("Node version", whenSaid(phrases.NODE_VERSION), (_, { hands, words }) =>
    plan(question(words.nodeVersion, "node --version", words.answer, hands)),
  ),
  intent("date", whenSaid(phrases.DATE), (_, { hands, words }) =>
    plan(question(words.date, "date", words.answer, hands)),
  ),
  intent("where", whenSaid(phrases.WHERE), (_, { hands, words }) =>
    plan(question(words.folder, "pwd", words.answer, hands)),
  ),
  intent("find a file", fileToFind, findPlan),
  intent("search", searchAsked, searchPlan),
  intent("project", whenSaid(phrases.PROJECT), (_, { hands, words }) => plan(readStep(["package.json"], hands, words))),
  intent("list", folderToList, (folder, { hands, words }) =>
    plan({
      verb: "look at",
      object: folder === "." ? words.folder : folder,
      calls: () => [hands.list(folder)],
      report: (outcomes) => words.entries(linesOf(outcomes)),
    }),
  ),
];

// ---- Understanding ---------------------------------------------------------------------------------------------

function talk(name: string, phrase: phrases.Phrase, text: (means: Means) => string): Intent {
  return intent(name, whenSaid(phrase), (_, means) => ({ steps: [], remark: text(means) }));
}

function whenSaid(phrase: phrases.Phrase): (clause: Clause) => true | undefined {
  return (clause) => (clause.says(phrase) ? true : undefined);
}

function filesAfter(phrase: phrases.Phrase): (clause: Clause) => string[] | undefined {
  return (clause) => (clause.says(phrase) ? filesOrIt(clause) : undefined);
}

function twoFilesAfter(phrase: phrases.Phrase): (clause: Clause) => [string, string] | undefined {
  return (clause) => {
    const { folder } = clause.parts(phrases.INTO_FOLDER) ?? {};
    const [file] = clause.files;
    if (!clause.says(phrase)) return undefined;
    if (folder !== undefined && file !== undefined && clause.files.length === 1) {
      return [file, posix.join(folder, posix.basename(file))];
    }
    const [from, to, ...more] = clause.files.length === 1 ? [clause.it, ...clause.files] : clause.files;
    if (from === undefined || to === undefined || more.length > 0 || !clause.only(phrases.MOVING)) return undefined;
    return [from, to];
  };
}

function partAsked(phrase: phrases.Phrase, part: string): (clause: Clause) => string | undefined {
  return (clause) => clause.parts(phrase)?.[part];
}

/** The files a clause names, or the one its "it" means; nothing when there is none. */
function filesOrIt(clause: Clause): string[] | undefined {
  if (clause.files.length > 0) return clause.files;
  return clause.it === undefined ? undefined : [clause.it];
}

/** A command line: typed as it is, or what it takes to run the tests or a program. */
function commandAsked(clause: Clause): string | undefined {
  const program = (path: string): string => runCommand(path, shellPath(path));
  const test = testFileOf(clause);
  if (clause.says(phrases.TESTS)) return test === undefined ? "npm test" : program(test);
  const typed = clause.parts(phrases.BARE_COMMAND)?.command;
  if (typed !== undefined && looksLikeCommand(typed)) return typed;
  const asked = clause.parts(phrases.RUN)?.command;
  if (asked === undefined) return undefined;
  if (looksLikeCommand(asked) && asked !== clause.files[0]) return asked;
  const known = clause.files[0] ?? test ?? clause.it;
  return known === undefined ? undefined : program(known);
}

/** A program's name in front, no pronoun and no article. */
const looksLikeCommand = (line: string): boolean =>
  /^[\w@./~(-]/.test(line) && !/^(?:it|that|this|them|again|the|an?|all|my|some)\b/i.test(line);

/** The test that the clauses so far speak of. */
function testFileOf(clause: Clause): string | undefined {
  const named = [...clause.files, clause.it].find((file) => file !== undefined && /\.test\.\w+$/.test(file));
  const written = clause.before.some((earlier) => earlier.says(phrases.CREATE) && earlier.says(phrases.TEST));
  return named ?? (written && clause.it !== undefined ? testPath(clause.it) : undefined);
}

function commitsAsked(clause: Clause): number | undefined {
  const match = clause.parts(phrases.COMMITS);
  if (match === undefined) return undefined;
  const count = match.count ?? "";
  return Number(count) || (phrases.NUMBERS[count.toLowerCase()] ?? 5);
}

function deletionAsked(clause: Clause): { paths: string[]; command: string } | undefined {
  if (!clause.says(phrases.DELETE) || !clause.only(phrases.DELETING) || namesKind(clause)) return undefined;
  if (clause.files.length === 0 && clause.folder !== undefined) {
    return { paths: [clause.folder], command: `rm -r ${shellPath(clause.folder)}` };
  }
  // "Delete it" may mean a part of a file; only one that was just made is surely meant as a whole.
  const made = clause.before.some((earlier) => earlier.says(phrases.CREATE) && earlier.files.includes(clause.it ?? ""));
  const paths = clause.files.length === 0 && made ? filesOrIt(clause) : clause.files;
  if (!paths || paths.length === 0) return undefined;
  return { paths, command: ["rm", ...paths.map(shellPath)].join(" ") };
}

/** "All .js files" names no file `.js`. */
function namesKind(clause: Clause): boolean {
  const kind = clause.parts(phrases.FILES_OF_KIND)?.kind ?? "";
  return kind.toLowerCase() in phrases.EXTENSIONS || /^\*?\.\w+$/.test(kind);
}

function replacementAsked(clause: Clause): { file: string; from: string; to: string } | undefined {
  const { from = "", to = "" } = clause.parts(phrases.REPLACE) ?? {};
  const file = clause.files.find((name) => name !== from && name !== to) ?? clause.it;
  const literal = [from, to].every((text) => clause.quotes(text) || isWord(text));
  return from === "" || file === undefined || !literal ? undefined : { file, from, to };
}

/** Taken literally without quotes: no words for a thing or a kind of change. */
const isWord = (text: string): boolean => /^[!-~]+$/.test(text) && !phrases.NO_TEXT.test(text);

function additionAsked(clause: Clause): { file: string; content: string } | undefined {
  const file = filesOrIt(clause)?.at(-1);
  const { content } = clause;
  if (!clause.says(phrases.APPEND) || content === undefined || file === undefined) return undefined;
  const sure = clause.explicit || clause.says(phrases.LINES) || isDefinition(content);
  return sure && clause.only(phrases.MAKING) ? { file, content } : undefined;
}

/** A whole definition, to be added as it stands. */
const isDefinition = (text: string): boolean =>
  /^(?:export\s+)?(?:const|let|var|function|class|interface|type|import)\b.*[;}]$/s.test(text);

interface NewFile {
  path: string;
  content: string;
  /** What is to stand in it was said beyond doubt. */
  explicit: boolean;
}

function arithmeticAsked(clause: Clause): NewFile[] | undefined {
  const path = filesOrIt(clause)?.at(-1);
  const operation = [clause, ...clause.before].map(operationIn).find((found) => found !== undefined);
  const wantsProgram = operationIn(clause) !== undefined;
  const wantsTest = clause.says(phrases.TEST);
  if (!clause.says(phrases.CREATE) || path === undefined || !isScript(path)) return undefined;
  if (operation === undefined || !(wantsProgram || wantsTest) || !clause.only(phrases.COMPUTING)) return undefined;
  return [
    ...(wantsProgram ? [{ path, content: arithmetic(path, operation), explicit: false }] : []),
    ...(wantsTest ? [{ path: testPath(path), content: arithmeticTest(path, operation), explicit: false }] : []),
  ];
}

function operationIn(clause: Clause): Operation | undefined {
  return OPERATIONS.find((operation) => clause.says(phrases.ARITHMETIC[operation]));
}

function filesToCreate(clause: Clause): NewFile[] | undefined {
  if (!clause.says(phrases.CREATE) || !clause.only(phrases.MAKING)) return undefined;
  const { content, explicit } = clause;
  const files = clause.files.length === 0 && content !== undefined ? filesOrIt(clause) : clause.files;
  if (files === undefined || files.length === 0) return undefined;
  if (content === undefined && clause.says(phrases.PUT)) return undefined;
  const outer = clause.says(phrases.INSIDE) ? clause.before.at(-1)?.folder : undefined;
  const folder = clause.folder ?? outer ?? "";
  return files.map((file) => {
    const path = file.startsWith(`${folder}/`) ? file : posix.join(folder, file);
    return { path, content: content === undefined ? emptyFile(path) : fileSaying(path, content), explicit };
  });
}

function folderToCreate(clause: Clause): string | undefined {
  if (!clause.says(phrases.CREATE) || !clause.only(phrases.MAKING)) return undefined;
  return clause.files.length === 0 ? clause.folder : undefined;
}

function summaryAsked(clause: Clause): { sources: string[]; target: string } | undefined {
  const target = clause.files.at(-1);
  const earlier = clause.before.flatMap((before) => before.files);
  const sources = clause.files.length > 1 ? clause.files.slice(0, -1) : earlier;
  if (!clause.says(phrases.SUMMARY) || !clause.says(phrases.CREATE)) return undefined;
  if (target === undefined || sources.length === 0) return undefined;
  return { sources: clause.files.length > 1 ? sources : [], target };
}

function lineCountAsked(clause: Clause): { files: string[]; oneByOne: boolean } | undefined {
  const files = filesOrIt(clause);
  if (files === undefined || !clause.says(phrases.COUNT) || !clause.says(phrases.LINES)) return undefined;
  return { files, oneByOne: clause.says(phrases.ONE_BY_ONE) };
}

function wordCountAsked(clause: Clause): string | undefined {
  const [file] = filesOrIt(clause) ?? [];
  if (file === undefined || !clause.says(phrases.COUNT) || !clause.says(phrases.WORD_COUNT)) return undefined;
  return `wc -w ${shellPath(file)}`;
}

function existenceAsked(clause: Clause): string[] | undefined {
  return clause.says(phrases.EXISTS) && clause.files.length > 0 && !clause.says(phrases.LINES)
    ? clause.files
    : undefined;
}

function packageFieldAsked(clause: Clause): string | undefined {
  const named = clause.files.includes("package.json");
  if (clause.says(phrases.DEPENDENCIES) && (named || clause.files.length === 0)) {
    return "npm pkg get dependencies devDependencies";
  }
  return named && clause.says(phrases.VERSION) ? "npm pkg get version" : undefined;
}

function fileCountAsked(clause: Clause): string | undefined {
  if (!clause.says(phrases.COUNT) || !clause.says(phrases.FILES)) return undefined;
  const kind = kindOfFiles(clause);
  return `${findCommand(clause.place, kind && `-name ${quote(kind.wildcard)}`)} | wc -l`;
}

function kindOfFiles(clause: Clause): { folder: string; wildcard: string } | undefined {
  const kind = clause.parts(phrases.FILES_OF_KIND)?.kind;
  if (kind === undefined || clause.says(phrases.DELETE)) return undefined;
  const extension = phrases.EXTENSIONS[kind.toLowerCase()] ?? kind.replace(/^\*?\./, "");
  return { folder: clause.place, wildcard: kind.includes("*") ? kind : `*.${extension}` };
}

function fileToFind(clause: Clause): { folder: string; wildcard: string } | undefined {
  const [file] = clause.files;
  const what = clause.parts(phrases.SEARCH)?.what ?? file;
  // A text searched for in a file is no file to find.
  if (file === undefined || what !== file || !clause.says(phrases.FIND)) return undefined;
  return { folder: clause.place === file ? "." : clause.place, wildcard: posix.basename(file) };
}

interface Search {
  what: string;
  folder: string;
  /** What grep is to take for a find. */
  pattern: string;
}

function definitionAsked(clause: Clause): Search | undefined {
  const what = clause.parts(phrases.DEFINITION)?.what;
  if (what === undefined || !/^[\w$]+$/.test(what)) return undefined;
  const name = what.replaceAll("$", "[$]");
  return {
    what,
    folder: clause.place,
    pattern: `-E '(function|class|const|let|var|interface|type|def|fn|func) +${name}\\b'`,
  };
}

function searchAsked(clause: Clause): Search | undefined {
  const what = clause.parts(phrases.SEARCH)?.what;
  return what ? { what, folder: clause.place, pattern: `-F -e ${quote(what)}` } : undefined;
}

function folderToList(clause: Clause): string | undefined {
  return clause.says(phrases.LIST) ? (clause.folder ?? clause.place) : undefined;
}

// ---- Planning --------------------------------------------------------------------------------------------------

const plan = (...steps: PlanStep[]): Plan => ({ steps });

function commandStep(verb: Verb, object: string, line: string, report: string, hands: Hands): PlanStep {
  return { verb, object, calls: () => [hands.run(line)], report: () => report };
}

/** A command whose output answers. */
function question(object: string, line: string, answer: (output: string) => string, hands: Hands): PlanStep {
  return {
    verb: "check",
    object,
    calls: () => [hands.run(line)],
    report: (outcomes) => answer(excerpt(outcomes[0]?.output ?? "")),
  };
}

function runStep(line: string, hands: Hands, words: Words): PlanStep {
  return {
    verb: "run",
    object: `\`${line}\``,
    calls: () => [hands.run(line)],
    report: ([outcome]) => {
      const output = excerpt(outcome?.output ?? "");
      return output === "" ? words.silent(line) : words.printed(line, output);
    },
  };
}

function createStep(
  path: string,
  content: (done: Outcome[]) => string,
  explicit: boolean,
  hands: Hands,
  words: Words,
): PlanStep {
  return {
    verb: "create",
    object: path,
    ...(!explicit && { mustBeNew: path }),
    calls: (done) => [hands.write(path, content(done))],
    report: () => words.created(path),
  };
}

function readStep(files: string[], hands: Hands, words: Words): PlanStep {
  return {
    verb: "read",
    object: words.and(files),
    calls: () => files.map((file) => hands.read(file)),
    report: (outcomes) => files.map((file, i) => gist(file, outcomes[i]?.output ?? "", words)).join("\n"),
  };
}

function summaryPlan({ sources, target }: { sources: string[]; target: string }, { hands, words }: Means): Plan {
  const summary = (done: Outcome[]): string => {
    const read = done.filter((outcome) => outcome.name === hands.read("").name && outcome.output !== "");
    return `# ${words.summaryTitle}\n\n${read.map((outcome) => `- ${headline(outcome.output)}\n`).join("")}`;
  };
  const write = createStep(target, summary, false, hands, words);
  return sources.length === 0 ? plan(write) : plan(readStep(sources, hands, words), write);
}

function lineCountPlan({ files, oneByOne }: { files: string[]; oneByOne: boolean }, { hands, words }: Means): Plan {
  const count = (names: string[]): PlanStep => ({
    verb: "check",
    object: words.linesOf(words.and(names)),
    calls: () => [hands.run(`wc -l ${names.map(shellPath).join(" ")}`)],
    report: ([outcome]) => {
      const counts = (outcome?.output ?? "").match(/\d+(?=\s+\S)/g) ?? [];
      return names.map((name, i) => words.lines(name, counts[i] ?? "?")).join("\n");
    },
  });
  return oneByOne ? { steps: files.map((file) => count([file])), improvised: true } : plan(count(files));
}

function findPlan({ folder, wildcard }: { folder: string; wildcard: string }, { hands, words }: Means): Plan {
  return plan({
    verb: "search",
    object: wildcard,
    calls: () => [hands.find(folder, wildcard)],
    report: (outcomes) => words.found(linesOf(outcomes).toSorted()),
  });
}

function searchPlan({ what, folder, pattern }: Search, { hands, words }: Means): Plan {
  const line = `grep -rnI --exclude-dir=node_modules --exclude-dir=.git ${pattern} ${shellPath(folder)} | head -n 50`;
  return plan({
    verb: "search",
    object: what,
    calls: () => [hands.run(line)],
    report: (outcomes) =>
      words.places(
        linesOf(outcomes)
          .slice(0, 10)
          .map((found) => cut(found.trim(), 200)),
      ),
  });
}

/** With file tools the end of the file is read and replaced by itself and the new line; with bash alone one command does. */
function appendPlan(file: string, content: string, hands: Hands, words: Words): Plan {
  const append = hands.run(appendCommand(file, content));
  if (hands.edit(file, "", "").name === append.name || hands.read(file).name === append.name) {
    return plan({ verb: "change", object: file, calls: () => [append], report: () => words.changed(file) });
  }
  const read: PlanStep = { verb: "read", object: file, calls: () => [hands.read(file)], report: () => "" };
  const add: PlanStep = {
    verb: "change",
    object: file,
    calls(done) {
      const text = done.findLast((outcome) => outcome.input.path === file)?.output ?? "";
      const end = uniqueEnd(text);
      if (isNothing(text)) return [hands.write(file, `${content}\n`)];
      return [hands.edit(file, end, `${end}${end.endsWith("\n") ? "" : "\n"}${content}\n`)];
    },
    report: () => words.changed(file),
  };
  return { steps: [read, add], improvised: true };
}

/** The shortest whole lines at the end of a text that stand in it once. */
function uniqueEnd(text: string): string {
  const end = text.trimEnd().lastIndexOf("\n") + 1;
  let start = end;
  while (start > 0 && text.indexOf(text.slice(start)) !== start) start = text.lastIndexOf("\n", start - 2) + 1;
  return text.slice(start);
}

/** Adds a line, and the line end before it that the file may lack. */
function appendCommand(file: string, content: string): string {
  const path = shellPath(file);
  return `[ -z "$(tail -c 1 ${path} 2>/dev/null)" ] || echo >> ${path}; printf '%s\\n' ${quote(content)} >> ${path}`;
}

/** What a file is about, in a line or two. */
function gist(file: string, output: string, words: Words): string {
  const text = tidy(output);
  if (text.trim() === "") return words.emptyFile(file);
  if (posix.basename(file) === "package.json" && title(text) !== undefined) return words.thisIs(headline(text));
  if (/\.(?:md|json)$/.test(file) && title(text) !== undefined) return words.about(file, headline(text));
  return words.begins(file, text.split("\n").length, excerpt(text));
}
