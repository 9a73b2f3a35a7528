import { dirname } from "node:path";
import type { Plugin } from "vitest/config";
import { findChapters } from "./chapters.ts";

/**
 * Lets the tests of these chapters run on the reader's exercise: what a file of the chapter imports as `./code.ts` is
 * `./exercise.ts` then. Other chapters go on building on the code as it is.
 */
export function exercisePlugin(names: string[]): Plugin {
  const chapters = findChapters().filter(({ name }) => names.includes(name));
  return {
    name: "exercise",
    enforce: "pre",
    async resolveId(source, importer) {
      const chapter = chapters.find(({ folder }) => importer && dirname(importer) === folder);
      if (!chapter) return undefined;
      const resolved = await this.resolve(source, importer, { skipSelf: true });
      return resolved?.id === chapter.code ? chapter.exercise : resolved;
    },
  };
}
