import { delimiter, sep } from "node:path";
import { repositoryRoot } from "./settings.ts";

type Environment = Record<string, string | undefined>;

/** npm and pnpm tell what they start about themselves and about the package. */
const LAUNCHER = /^(p?npm_|PNPM_PACKAGE_NAME$|PNPM_SCRIPT_SRC_DIR$|INIT_CWD$)/;

/** Folders that npm and pnpm put before the user's own PATH. */
const LAUNCHER_FOLDER = /[/\\]node_modules[/\\]\.bin$|[/\\]node-gyp-bin$/;

/**
 * The environment as the user set it: a program that the agent runs shall find what it finds in the user's shell. Undone
 * is what tsx, npx and pnpm add on the way to a chapter (tsx's NODE_PATH would show a command our own packages).
 */
export function userEnvironment(environment: Environment = process.env): Environment {
  const { NODE_PATH, ...own } = environment;
  const path = NODE_PATH?.split(delimiter).filter((folder) => !folder.startsWith(repositoryRoot + sep));
  if (path && path.length > 0) own.NODE_PATH = path.join(delimiter);
  if (!Object.keys(own).some((name) => LAUNCHER.test(name))) return own;

  const folders = own.PATH?.split(delimiter) ?? [];
  const first = folders.findIndex((folder) => !LAUNCHER_FOLDER.test(folder));
  if (first >= 0) own.PATH = folders.slice(first).join(delimiter);
  // npm sets these where the user did not: to itself, and to its defaults.
  if (own.NODE === process.execPath) delete own.NODE;
  if (own.EDITOR === "vi") delete own.EDITOR;
  delete own.COLOR;
  return Object.fromEntries(Object.entries(own).filter(([name]) => !LAUNCHER.test(name)));
}
