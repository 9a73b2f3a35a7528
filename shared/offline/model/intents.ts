/** What the offline model can do: a table of intents, each with how it is understood and how it is done. */
import { posix } from "node:path";
import type { Clause } from "./clauses.ts";
import { findCommand, quote, shellPath, unlessThere, type Hands, type ToolCall } from "./hands.ts";
import * as phrases from "./phrases.ts";
import {
  arithmetic,
  arithmeticTest,
  emptyFile,
  fileSaying,
  isProgram,
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
  /** What the object is made of, where it is several files. */
  names?: string[];
  /** A file this makes: one that is there stays as it is. */
  mustBeNew?: string;
  /** What that file is to say. */
  content?: string;
  /** A file this reads that need not be there. */
  mayBeMissing?: true;
  /** The calls; `done` is what came of all steps before. */
  calls(done: Outcome[]): ToolCall[];
  /** What to tell the user about the outcomes of this step; of its `names`, the `missing` ones were not there. */
  report(outcomes: Outcome[], missing?: string[]): string;
}

export interface Plan {
  steps: PlanStep[];
  /** What to say besides, when all is done. */
  remark?: string;
  /** Begun without a to-do list, though it has several steps. */
  improvised?: boolean;
  /** What comes behind it in the prompt is not to be done: this was not understood, or its answer decides. */
  ends?: boolean;
  /** Answers a question without regard to its details. */
  partly?: boolean;
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

/** What an intent makes of a clause: how to plan it, or nothing when something else is meant. */
export type Intent = (clause: Clause) => ((means: Means) => Plan) | undefined;

/** The first intent that understands decides, so the special ones stand before the general ones. */
export const INTENTS: Intent[] = [
  talk(phrases.GREETING, ({ words, suggestions }) => `${words.hello}\n\n${words.tryThese(suggestions)}`),
  talk(phrases.THANKS, ({ words }) => words.welcome),
  talk(phrases.FAREWELL, ({ words }) => words.bye),
  talk(phrases.LEAVING, ({ words }) => words.leave),
  talk(phrases.TOOLS, ({ words, tools }) => words.tools(tools)),
  talk(phrases.HELP, ({ words, suggestions }) => `${words.hello}\n\n${words.tryThese(suggestions)}\n\n${words.leave}`),

  running(testsAsked),
  intent(commandAsked, ({ line, rest }, means) => ({
    steps: [runStep(line, means)],
    ...(rest && { remark: means.words.undone(rest) }),
  })),
  intent(commitAsked, (message, means) =>
    message === ""
      ? { steps: [], remark: means.words.nameTheMessage }
      : plan(runStep(`git add -A && git commit -m ${quote(message)}`, means)),
  ),
  running((clause) => {
    const isAsked = clause.says(phrases.CHANGES) && clause.files.length > 0;
    return isAsked ? `git diff HEAD -- ${clause.files.map(shellPath).join(" ")}` : undefined;
  }),
  running(newBranchAsked),
  answering(saying(phrases.AUTHOR, "git log -n 1"), "commits"),
  answering(commitsAsked, "commits"),

  intent(twoFilesAfter(phrases.RENAME), ([from, to], { hands, words }) => {
    const move = hands.run(unlessThere(to, `mv ${shellPath(from)} ${shellPath(to)}`));
    const isMove = posix.basename(from) === posix.basename(to);
    const report = () => (isMove ? words.moved(from, `${posix.dirname(to)}/`) : words.renamed(from, to));
    return plan({ ...step("rename", from, move, report), mustBeNew: to });
  }),
  intent(twoFilesAfter(phrases.COPY), ([from, to], { hands, words }) => {
    const copy = hands.run(unlessThere(to, `cp ${shellPath(from)} ${shellPath(to)}`));
    return plan({ ...step("copy", from, copy, () => words.copied(from, to)), mustBeNew: to });
  }),
  intent(deletionAsked, ({ paths, command }, { hands, words }) => {
    const report = (_: Outcome[], missing: string[] = []): string => words.deleted(words.and(without(paths, missing)));
    return plan({ ...step("delete", words.and(paths), hands.run(command), report), names: paths });
  }),
  intent(replacementAsked, replacementPlan),
  intent(removalAsked, replacementPlan),
  intent(additionAsked, additionPlan),

  intent(summaryAsked, summaryPlan),
  intent(contentToSet, ({ path, content }, { hands, words }) =>
    plan(step("change", path, hands.write(path, content), () => (content ? words.wrote(path) : words.emptied(path)))),
  ),
  intent(arithmeticAsked, creationPlan),
  intent(filesToCreate, creationPlan),
  intent(folderToCreate, (folder, { hands, words }) =>
    plan(step("create", folder, hands.run(`mkdir -p ${shellPath(folder)}`), () => words.madeFolder(folder))),
  ),

  // Changes that none of these understood.
  intent(changeAsked, ({ text, limit }, { words }) => ({
    steps: [],
    remark: limit === undefined ? words.undone(text) : `${words.undone(text)}\n${words[limit]}`,
    ends: true,
  })),
  intent(filesAfter(phrases.FIX), (files, means) => ({
    steps: [readStep(files, false, means)],
    remark: means.words.onlyRules,
  })),
  intent(linesOfKindAsked, (line, means) => partly(runStep(line, means))),
  intent(lineCountAsked, lineCountPlan),
  running(someLinesAsked),
  running(sizeAsked),
  intent(fileCountAsked, (line, means) => partly(question("fileCount", line, "files", means))),
  intent(definitionAsked, searchPlan),
  running(packageFieldAsked),
  intent(existenceAsked, (files, { hands, words }) => ({
    ...plan(step("search", words.and(files), hands.look(files), (outcomes) => words.found(linesOf(outcomes)))),
    ends: true,
  })),
  intent(mentionAsked, searchPlan),
  intent(kindOfFiles, (kind, means) => partly(findStep(kind, means))),
  intent(readingAsked, ({ files, wish }, means) => ({
    ...partly(readStep(files, wish !== undefined, means)),
    ...(wish !== undefined && !files.every(hasHeading) && { remark: means.words.undone(wish) }),
  })),

  running(saying(phrases.BRANCHES, "git branch")),
  answering(saying(phrases.BRANCH, "git branch --show-current"), "branchObject", "branch"),
  answering(saying(phrases.CHANGES, "git status --short && git diff --stat"), "changeList", "changes"),
  answering(saying(phrases.NODE_VERSION, "node --version"), "nodeVersion"),
  answering(saying(phrases.DATE, "date"), "date"),
  answering(saying(phrases.WHERE, "pwd"), "folder"),
  intent(fileToFind, (file, means) => plan(findStep(file, means))),
  intent(searchAsked, searchPlan),
  intent(saying(phrases.PROJECT, "package.json"), (file, means) => plan(readStep([file], true, means))),
  running((clause) => {
    const places = clause.parts(phrases.PLACES)?.places?.split(/\s*[、,和与と]\s*(?:and\s+)?|\s+and\s+/);
    return places && clause.says(phrases.LIST) ? `ls -p ${places.map(shellPath).join(" ")}` : undefined;
  }),
  running((clause) => (clause.says(phrases.HIDDEN) ? `ls -Ap ${shellPath(clause.place)}` : undefined)),
  intent(folderToList, (folder, { hands, words }) => {
    const object = folder === "." ? words.folder : folder;
    return partly(step("look at", object, hands.list(folder), (outcomes) => words.entries(linesOf(outcomes))));
  }),
];

// ---- Understanding ---------------------------------------------------------------------------------------------

function intent<Match>(
  understands: (clause: Clause) => Match | undefined,
  planned: (match: Match, means: Means) => Plan,
): Intent {
  return (clause) => {
    const match = understands(clause);
    return match === undefined ? undefined : (means) => planned(match, means);
  };
}

function talk(phrase: phrases.Phrase, text: (means: Means) => string): Intent {
  return intent(saying(phrase, true), (_, means) => ({ steps: [], remark: text(means) }));
}

/** A question that one command answers. */
function answering(lineFor: (clause: Clause) => string | undefined, object: Topic, answer: Answer = "answer"): Intent {
  return intent(lineFor, (line, means) => plan(question(object, line, answer, means)));
}

/** One command line, whose output is shown. */
function running(lineFor: (clause: Clause) => string | undefined): Intent {
  return intent(lineFor, (line, means) => plan(runStep(line, means)));
}

/** Gives what belongs to a phrase when that is said. */
function saying<Meant>(phrase: phrases.Phrase, meant: Meant): (clause: Clause) => Meant | undefined {
  return (clause) => (clause.says(phrase) ? meant : undefined);
}

function filesAfter(phrase: phrases.Phrase): (clause: Clause) => string[] | undefined {
  return (clause) => (clause.says(phrase) ? filesOrIt(clause) : undefined);
}

function twoFilesAfter(phrase: phrases.Phrase): (clause: Clause) => [string, string] | undefined {
  return (clause) => {
    const { folder } = clause.parts(phrases.INTO_FOLDER) ?? {};
    const { name } = clause.parts(phrases.COPY_CALLED) ?? {};
    const [file] = clause.files;
    if (!clause.says(phrase)) return undefined;
    if (name !== undefined && file !== undefined && clause.files.length === 1) return [file, name];
    if (folder !== undefined && file !== undefined && clause.files.length === 1) {
      return [file, posix.join(folder, posix.basename(file))];
    }
    const [from, to, ...more] = clause.files.length === 1 ? [clause.it, ...clause.files] : clause.files;
    if (from === undefined || to === undefined || more.length > 0 || !clause.only(phrases.MOVING)) return undefined;
    return [from, to];
  };
}

/** The files a clause names, or the one its "it" means; nothing when there is none. */
function filesOrIt(clause: Clause): string[] | undefined {
  if (clause.files.length > 0) return clause.files;
  return clause.it === undefined ? undefined : [clause.it];
}

function testsAsked(clause: Clause): string | undefined {
  const test = testFileOf(clause);
  if (!clause.says(phrases.TESTS)) return undefined;
  return test === undefined ? "npm test" : program(test);
}

const program = (path: string): string => runCommand(path, shellPath(path));

/** A command line, typed as it is or to be run, or what it takes to run a program; `rest` is what follows it. */
function commandAsked(clause: Clause): { line: string; rest?: string | undefined } | undefined {
  if (clause.asks || clause.says(phrases.ABOUT_COMMAND)) return undefined;
  const { command: typed } = clause.commandIn(phrases.BARE_COMMAND) ?? {};
  if (typed !== undefined && looksLikeCommand(typed)) return { line: typed };
  const { command: asked, rest } = clause.commandIn(phrases.RUN) ?? {};
  if (asked === undefined) return undefined;
  const isFile = asked === clause.files[0] && !/^[.~]?\/|\s/.test(asked);
  if (!isFile && (clause.quotes(asked) || looksLikeCommand(asked))) {
    return { line: clause.says(phrases.SUDO) ? `sudo ${asked}` : asked, rest };
  }
  const known = clause.files[0] ?? testFileOf(clause) ?? clause.it;
  return known !== undefined && clause.only(phrases.RUNNING) ? { line: program(known) } : undefined;
}

/** Something of a shell in front, no quoted part that goes on, no pronoun and no article; no Chinese words behind it. */
const looksLikeCommand = (line: string): boolean =>
  /^[!-~]/.test(line) &&
  !/^(?:`[^`]*`|"[^"]*"|'[^']*')\s/.test(line) &&
  !/^[!-~]+\s*[のにで]/.test(line) &&
  (!/\p{Script=Han}$/u.test(line) || /^(?:echo|printf)\s/.test(line)) &&
  !/^(?:it|that|this|them|again|the|an?|all|my|some)\b/i.test(line);

/** The test that the clauses so far speak of. */
function testFileOf(clause: Clause): string | undefined {
  const named = [...clause.files, clause.it].find((file) => file !== undefined && /\.test\.\w+$/.test(file));
  const written = clause.before.some((earlier) => earlier.says(phrases.CREATE) && earlier.says(phrases.TEST));
  return named ?? (written && clause.it !== undefined ? testPath(clause.it) : undefined);
}

function commitAsked(clause: Clause): string | undefined {
  return clause.asks ? undefined : clause.parts(phrases.COMMIT)?.message;
}

function newBranchAsked(clause: Clause): string | undefined {
  const name = clause.parts(phrases.NEW_BRANCH)?.name ?? "";
  return clause.asks || !/^\w[\w./-]*$/.test(name) ? undefined : `git branch ${name}`;
}

function commitsAsked(clause: Clause): string | undefined {
  const match = clause.parts(phrases.COMMITS);
  return match && `git log --oneline -n ${match.count ? numberIn(match.count) : 5}`;
}

const numberIn = (text: string): number => Number(text) || (phrases.NUMBERS[text.toLowerCase()] ?? 1);

function deletionAsked(clause: Clause): { paths: string[]; command: string } | undefined {
  if (!clause.says(phrases.DELETE) || !clause.only(phrases.DELETING) || namesKind(clause)) return undefined;
  if (clause.folder !== undefined) {
    const paths = [...new Set([clause.folder, ...clause.files])];
    return { paths, command: ["rm -r", ...paths.map(shellPath)].join(" ") };
  }
  // "Delete it" may mean a part of a file; only one that was just made is surely meant as a whole.
  const named = [...clause.earlier, ...clause.before].findLast(({ files }) => files.length > 0);
  const made = named?.files.length === 1 && named.says(phrases.CREATE) && named.only(phrases.MAKING);
  const paths = clause.files.length === 0 && made ? filesOrIt(clause) : clause.files;
  if (!paths || paths.length === 0) return undefined;
  return { paths, command: ["rm", ...paths.map(shellPath)].join(" ") };
}

/** "All .js files" names no file `.js`. */
function namesKind(clause: Clause): boolean {
  const kind = clause.parts(phrases.FILES_OF_KIND)?.kind ?? "";
  return kind.toLowerCase() in phrases.EXTENSIONS || /^\*?\.\w+$/.test(kind);
}

interface Replacement {
  file: string;
  from: string;
  to: string;
  /** Wherever it stands. */
  all: boolean;
}

function replacementAsked(clause: Clause): Replacement | undefined {
  const { from = "", to = "" } = clause.parts(phrases.REPLACE) ?? {};
  const file = clause.files.find((name) => name !== from && name !== to) ?? clause.it;
  const literal = [from, to].every((text) => clause.quotes(text) || isWord(text, clause.language));
  // Of "change PORT to 8080" the word is a name, and what is meant is its value.
  if (file !== undefined && !clause.quotes(from) && SETTINGS.test(file)) return undefined;
  return from === "" || file === undefined || !literal ? undefined : { file, from, to, all: clause.says(phrases.ALL) };
}

/** A text to be taken out of a file. Without quotes it must be called a text, or be a word of a plain text. */
function removalAsked(clause: Clause): Replacement | undefined {
  const { from = "", named } = clause.parts(phrases.REMOVE) ?? {};
  const file = clause.files.find((name) => name !== from) ?? clause.it;
  if (from === "" || file === undefined) return undefined;
  const literal = isWord(from, clause.language) && !clause.files.includes(from) && (named || isPlainText(file));
  return clause.quotes(from) || literal ? { file, from, to: "", all: clause.says(phrases.ALL) } : undefined;
}

/** Taken literally without quotes: one word, and none for a thing or a kind of change. */
function isWord(text: string, language: phrases.Language): boolean {
  const word = language === "en" ? /^[^\s“”「」]+$/ : /^[^\s“”"'「」的を]{1,20}$/;
  return word.test(text) && !fits(text, language, phrases.NO_TEXT, phrases.DESCRIPTION, phrases.THING);
}

const SETTINGS = /\.(?:json|ya?ml|toml|ini|cfg|conf|env|properties)$|^\.env/;

const fits = (text: string, language: phrases.Language, ...meanings: phrases.Phrase[]): boolean =>
  meanings.some((phrase) => phrase[language].some((expression) => expression.test(text)));

/** In a list or a note, an unquoted word is the text itself; in code and documents it may be what the text is about. */
const isPlainText = (path: string): boolean => path.endsWith(".txt");

interface Addition {
  file: string;
  content: string;
}

function additionAsked(clause: Clause): Addition | undefined {
  const file = filesOrIt(clause)?.at(-1);
  const { content } = clause;
  if (!clause.says(phrases.APPEND) || content === undefined || file === undefined) return undefined;
  const sure = clause.quoted || clause.whole || clause.says(phrases.LINES) || isPlainText(file);
  return sure && clause.only(phrases.MAKING) ? { file, content } : undefined;
}

interface NewFile {
  path: string;
  content: string;
}

function arithmeticAsked(clause: Clause): NewFile[] | undefined {
  const path = filesOrIt(clause)?.at(-1);
  const about = [...clause.earlier, ...clause.before].filter(({ files }) => path !== undefined && files.includes(path));
  const operation = [...about, clause].map(operationIn).findLast((found) => found !== undefined);
  const wantsProgram = operationIn(clause) !== undefined;
  const wantsTest = clause.says(phrases.TEST);
  if (!clause.says(phrases.CREATE) || path === undefined || !isScript(path)) return undefined;
  if (operation === undefined || !(wantsProgram || wantsTest) || !clause.only(phrases.COMPUTING)) return undefined;
  return [
    ...(wantsProgram ? [{ path, content: arithmetic(path, operation) }] : []),
    ...(wantsTest ? [{ path: testPath(path), content: arithmeticTest(path, operation) }] : []),
  ];
}

function operationIn(clause: Clause): Operation | undefined {
  return OPERATIONS.find((operation) => clause.says(phrases.ARITHMETIC[operation]));
}

/** All that a file is to say: what it said before is replaced. */
function contentToSet(clause: Clause): { path: string; content: string } | undefined {
  const [path, ...more] = filesOrIt(clause) ?? [];
  const { content } = clause;
  if (path !== undefined && clause.says(phrases.EMPTY)) return { path, content: "" };
  if (path === undefined || more.length > 0 || content === undefined) return undefined;
  const sure = clause.quoted || (clause.whole && !fits(content, clause.language, phrases.THING));
  return sure && clause.says(phrases.SET) && clause.only(phrases.MAKING)
    ? { path, content: contentFor(path, content, clause) }
    : undefined;
}

/** A program is made of a text that is not said to be its content. */
const contentFor = (path: string, text: string, { verbatim }: Clause): string =>
  verbatim ? `${text.trimEnd()}\n` : fileSaying(path, text);

function changeAsked(clause: Clause) {
  return clause.says(phrases.CHANGING) ? { text: clause.text, limit: limitFor(clause) } : undefined;
}

/** Which of its limits a change goes beyond. */
function limitFor(clause: Clause): "nameWhatToDelete" | "cannotWrite" | "cannotChange" | undefined {
  if (clause.says(phrases.DELETE) && clause.files.length === 0) return "nameWhatToDelete";
  const ofProgram = clause.says(phrases.PROGRAM) || clause.files.some((file) => isProgram(file));
  if (clause.says(phrases.CREATE) && !clause.says(phrases.APPEND) && ofProgram) return "cannotWrite";
  return clause.files.length > 0 && clause.says(phrases.EDITING) ? "cannotChange" : undefined;
}

function filesToCreate(clause: Clause): NewFile[] | undefined {
  if (!clause.says(phrases.CREATE) || !clause.only(phrases.MAKING)) return undefined;
  const { content } = clause;
  const files = clause.files.length === 0 && content !== undefined ? filesOrIt(clause) : clause.files;
  if (files === undefined || files.length === 0) return undefined;
  const inside = clause.says(phrases.INSIDE);
  if (clause.says(phrases.SET) || (clause.described && !inside)) return undefined;
  const outer = inside ? (clause.before.at(-1) ?? clause.earlier.at(-1))?.folder : undefined;
  const folder = clause.folder ?? outer ?? "";
  return files.map((file) => {
    const path = file.startsWith(`${folder}/`) ? file : posix.join(folder, file);
    return { path, content: content === undefined ? emptyFile(path) : contentFor(path, content, clause) };
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

/** The lines of all files of a kind, and their sum. */
function linesOfKindAsked(clause: Clause): string | undefined {
  const kind = clause.says(phrases.COUNT) && clause.says(phrases.LINES) ? kindNamed(clause) : undefined;
  if (kind === undefined || !clause.files.every((file) => file.startsWith("."))) return undefined;
  return `${findCommand(kind.folder, `-name ${quote(kind.wildcard)}`)} -exec wc -l {} +`;
}

function sizeAsked(clause: Clause): string | undefined {
  const [file] = filesOrIt(clause) ?? [];
  const words = clause.says(phrases.COUNT) && clause.says(phrases.WORD_COUNT);
  const characters = clause.says(phrases.CHARACTERS);
  if (file === undefined || !(words || characters || clause.says(phrases.SIZE))) return undefined;
  return `wc ${characters ? "-m" : words ? "-w" : "-c"} ${shellPath(file)}`;
}

/** What to read, and the wish to have it explained. "Then show me the files" speaks of no file, unless of "it". */
function readingAsked(clause: Clause): { files: string[]; wish: string | undefined } | undefined {
  const folder = clause.files.length === 0 && clause.says(phrases.LIST) && !clause.says(phrases.IT);
  const isWish = clause.files.length === 0 && clause.parts(phrases.DETAIL)?.detail === clause.text;
  const files = clause.says(phrases.READ) && !folder && !isWish ? filesOrIt(clause) : undefined;
  return files && { files, wish: clause.parts(phrases.EXPLAIN)?.detail };
}

/** The command that shows the lines asked for. */
function someLinesAsked(clause: Clause): string | undefined {
  const [file] = filesOrIt(clause) ?? [];
  const asked = clause.parts(phrases.SOME_LINES);
  if (file === undefined || asked === undefined) return undefined;
  const path = shellPath(file);
  if (asked.only) return `sed -n ${asked.only.match(/\d+/g)?.join(",") ?? numberIn(asked.only)}p ${path}`;
  return asked.last === undefined
    ? `head -n ${numberIn(asked.first || "1")} ${path}`
    : `tail -n ${numberIn(asked.last || "1")} ${path}`;
}

function existenceAsked(clause: Clause): string[] | undefined {
  const other = clause.says(phrases.LINES) || clause.says(phrases.QUOTE);
  const { files, place } = clause;
  if (!clause.says(phrases.EXISTS) || files.length === 0 || files.includes(place) || other) return undefined;
  return files.map((file) => posix.join(place, file));
}

function packageFieldAsked(clause: Clause): string | undefined {
  const named = clause.files.includes("package.json");
  if (clause.says(phrases.DEPENDENCIES) && (named || clause.files.length === 0)) {
    return "npm pkg get dependencies devDependencies";
  }
  return named && clause.says(phrases.VERSION) ? "npm pkg get version" : undefined;
}

function fileCountAsked(clause: Clause): string | undefined {
  if (!clause.says(phrases.COUNT) || !clause.says(phrases.FILES) || clause.says(phrases.LINES)) return undefined;
  const kind = kindNamed(clause);
  return `${findCommand(clause.place, kind && `-name ${quote(kind.wildcard)}`)} | wc -l`;
}

interface Kind {
  folder: string;
  wildcard: string;
}

function kindOfFiles(clause: Clause): Kind | undefined {
  return clause.says(phrases.DELETE) ? undefined : kindNamed(clause);
}

function kindNamed(clause: Clause): Kind | undefined {
  const kind = clause.parts(phrases.FILES_OF_KIND)?.kind;
  if (kind === undefined) return undefined;
  const extension = phrases.EXTENSIONS[kind.toLowerCase()] ?? kind.replace(/^\*?\./, "");
  return { folder: clause.place, wildcard: kind.includes("*") ? kind : `*.${extension}` };
}

function fileToFind(clause: Clause): Kind | undefined {
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

function mentionAsked(clause: Clause): Search | undefined {
  const what = clause.parts(phrases.MENTIONING)?.what;
  const kind = kindNamed(clause);
  return what ? textSearch(what, clause, kind && `--include=${quote(kind.wildcard)} `) : undefined;
}

function searchAsked(clause: Clause): Search | undefined {
  const what = clause.parts(phrases.SEARCH)?.what;
  return what ? textSearch(what, clause) : undefined;
}

const textSearch = (what: string, { place }: Clause, options = ""): Search => ({
  what,
  folder: place,
  pattern: `${options}-iF -e ${quote(what)}`,
});

function folderToList(clause: Clause): string | undefined {
  return clause.says(phrases.LIST) ? (clause.folder ?? clause.place) : undefined;
}

// ---- Planning --------------------------------------------------------------------------------------------------

const plan = (...steps: PlanStep[]): Plan => ({ steps });
const partly = (one: PlanStep): Plan => ({ steps: [one], partly: true });

const without = (names: string[], missing: string[]): string[] => names.filter((name) => !missing.includes(name));

/** A step of one call. */
function step(verb: Verb, object: string, call: ToolCall, report: (outcomes: Outcome[]) => string): PlanStep {
  return { verb, object, calls: () => [call], report };
}

type Topic = "commits" | "branchObject" | "changeList" | "nodeVersion" | "date" | "folder" | "fileCount";
type Answer = "answer" | "branch" | "changes" | "files";

/** A command whose output answers. */
const question = (object: Topic, line: string, answer: Answer, { hands, words }: Means): PlanStep =>
  step("check", words[object], hands.run(line), ([outcome]) => words[answer](excerpt(outcome?.output ?? "")));

const runStep = (line: string, { hands, words }: Means): PlanStep =>
  step("run", `\`${line}\``, hands.run(line), ([outcome]) => {
    const output = excerpt(outcome?.output ?? "");
    return output === "" ? words.silent(line) : words.printed(line, output);
  });

const findStep = ({ folder, wildcard }: Kind, { hands, words }: Means): PlanStep =>
  step("search", wildcard, hands.find(folder, wildcard), (outcomes) => words.found(linesOf(outcomes).toSorted()));

/** @param brief what the files are about is asked, not what they say */
function readStep(files: string[], brief: boolean, { hands, words }: Means): PlanStep {
  return {
    verb: "read",
    object: words.and(files),
    names: files,
    calls: () => files.map((file) => hands.read(file)),
    report: (outcomes, missing = []) =>
      files
        .flatMap((file, i) => (missing.includes(file) ? [] : gist(file, outcomes[i]?.output ?? "", brief, words)))
        .join("\n"),
  };
}

function replacementPlan({ file, from, to, all }: Replacement, { hands, words }: Means): Plan {
  const call = all ? hands.editAll(file, from, to) : hands.edit(file, from, to);
  return plan(step("change", file, call, () => words.changed(file)));
}

function creationPlan(files: NewFile[], { hands, words }: Means): Plan {
  const steps = files.map(({ path, content }) => ({
    ...step("create", path, hands.create(path, content), () => words.created(path)),
    mustBeNew: path,
    content,
  }));
  return plan(...steps);
}

function summaryPlan({ sources, target }: { sources: string[]; target: string }, means: Means): Plan {
  const { hands, words } = means;
  const summary = (done: Outcome[]): string => {
    const read = done.filter((outcome) => outcome.name === hands.read("").name && outcome.output !== "");
    return `# ${words.summaryTitle}\n\n${read.map((outcome) => `- ${headline(outcome.output)}\n`).join("")}`;
  };
  const write: PlanStep = {
    verb: "create",
    object: target,
    mustBeNew: target,
    calls: (done) => [hands.create(target, summary(done))],
    report: () => words.created(target),
  };
  return sources.length === 0 ? plan(write) : plan(readStep(sources, true, means), write);
}

function lineCountPlan({ files, oneByOne }: { files: string[]; oneByOne: boolean }, { hands, words }: Means): Plan {
  const count = (names: string[]): PlanStep => {
    const call = hands.run(`wc -l ${names.map(shellPath).join(" ")}`);
    const report = ([outcome]: Outcome[], missing: string[] = []): string => {
      const counts = (outcome?.output ?? "").match(/(?<=^\s*)\d+(?=\s+\S)/gm) ?? [];
      return without(names, missing)
        .map((name, i) => words.lines(name, counts[i] ?? "?"))
        .join("\n");
    };
    return { ...step("check", words.linesOf(words.and(names)), call, report), names };
  };
  return oneByOne ? { steps: files.map((file) => count([file])), improvised: true } : plan(count(files));
}

function searchPlan({ what, folder, pattern }: Search, { hands, words }: Means): Plan {
  const line = `grep -rnI --exclude-dir=node_modules --exclude-dir=.git ${pattern} ${shellPath(folder)} | head -n 50`;
  return plan(
    step("search", what, hands.run(line), (outcomes) => {
      const found = linesOf(outcomes).map((place) => cut(place.trim(), 200));
      return words.places(found.length > 10 ? [...found.slice(0, 10), "…"] : found);
    }),
  );
}

/** With file tools the end of the file is read and replaced by itself and the new line; with bash alone one command does. */
function additionPlan({ file, content }: Addition, { hands, words, tools }: Means): Plan {
  if (!["read_file", "edit_file"].every((tool) => tools.includes(tool))) {
    return plan(step("change", file, hands.run(appendCommand(file, content)), () => words.changed(file)));
  }
  const read: PlanStep = { ...step("read", file, hands.read(file), () => ""), mayBeMissing: true };
  const add: PlanStep = {
    verb: "change",
    object: file,
    calls(done) {
      const { output: text = "", failed = true } = done.findLast(({ input }) => input.path === file) ?? {};
      const end = uniqueEnd(text);
      if (failed || isNothing(text)) return [hands.write(file, `${content}\n`)];
      return [hands.edit(file, end, `${end}${end.endsWith("\n") ? "" : "\n"}${content}\n`)];
    },
    report: ([outcome]) => (outcome?.name === "edit_file" ? words.changed(file) : words.wrote(file)),
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

/** Whether a line of it tells what a file is about. */
const hasHeading = (file: string): boolean => /\.(?:md|json)$/.test(file);

/** What a file says, or in brief what it is about. */
function gist(file: string, output: string, brief: boolean, words: Words): string {
  const text = tidy(output);
  if (text.trim() === "") return words.emptyFile(file);
  if (brief && hasHeading(file) && title(text) !== undefined) {
    return posix.basename(file) === "package.json" ? words.thisIs(headline(text)) : words.about(file, headline(text));
  }
  return words.begins(file, text.split("\n").length, excerpt(text));
}
