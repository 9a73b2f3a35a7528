import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";

export type Settings = Record<string, string | undefined>;

/** The repository's own folder, where its `.env` and `skills/` are. */
export const repositoryRoot = join(import.meta.dirname, "..");

/**
 * The environment of the process, then `.env` of the workspace, then `.env` of the repository: the first that
 * sets a variable wins. A variable that is set to nothing counts as not set, as in a copied `.env.example`.
 */
export function readSettings(workspace: string, environment: Settings = process.env): Settings {
  const sources = [environment, readEnvFile(join(workspace, ".env")), readEnvFile(join(repositoryRoot, ".env"))];
  const set = sources.map((source) => Object.entries(source).filter(([, value]) => value?.trim()));
  return Object.fromEntries(set.toReversed().flat());
}

function readEnvFile(path: string): Settings {
  try {
    return parseEnv(readFileSync(path, "utf8").replace(/^\ufeff/, ""));
  } catch {
    return {}; // most folders have none
  }
}
