import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as util from "node:util"; // not parseEnv: an older Node, without it, would fail before it can be told

export type Settings = Record<string, string | undefined>;

/** The repository's own folder, where its `.env` and `skills/` are. */
export const repositoryRoot = join(import.meta.dirname, "..");

/** Where the model is, and what opens it. */
const CONNECTION = new Set(["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL"]);

/**
 * The environment of the process, then `.env` of the workspace, then `.env` of the repository: the first that sets a
 * variable wins. A variable that is set to nothing counts as not set, as in a copied `.env.example`.
 *
 * But credential and address come from one source, the first that has any of them: the `.env` of a cloned repository must
 * not send the user's key to an address of its own.
 *
 * @param note is told of a credential or an address that is ignored for that reason
 */
export function readSettings(
  workspace: string,
  environment: Settings = process.env,
  note: (text: string) => void = () => {},
): Settings {
  const sources: [string, Settings][] = [
    ["the environment", environment],
    [".env of this folder", readEnvFile(join(workspace, ".env"))],
    [".env of the course", readEnvFile(join(repositoryRoot, ".env"))],
  ];
  const settings: Settings = {};
  let chosen: string | undefined; // where credential and address come from
  for (const [place, source] of sources) {
    const set = Object.entries(source).filter(([name, value]) => value?.trim() && settings[name] === undefined);
    const connection = set.flatMap(([name]) => (CONNECTION.has(name) ? [name] : []));
    const ignored = chosen === undefined ? [] : connection;
    if (ignored.length > 0) note(`${ignored.join(" and ")} in ${place}: ignored, beside what ${chosen} says`);
    else if (connection.length > 0) chosen = place;
    Object.assign(settings, Object.fromEntries(set.filter(([name]) => !ignored.includes(name))));
  }
  return settings;
}

function readEnvFile(path: string): Settings {
  try {
    return util.parseEnv(readFileSync(path, "utf8").replace(/^\ufeff/, ""));
  } catch {
    return {}; // most folders have none
  }
}
