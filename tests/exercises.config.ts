/** Every chapter's tests, once for each variant of its code: in one process a chapter, up to the first test that fails. */
import { join } from "node:path";
import { defineConfig, type Plugin } from "vitest/config";
import { findChapters } from "../shared/course/chapters.ts";
import { repositoryRoot } from "../shared/settings.ts";
import { variantsOf } from "./variants.ts";

const chapters = findChapters();

/**
 * Makes of each code.test.ts a file that loads it many times, as `code.test.ts?variant=3`. What such a copy imports as
 * `./code.ts` is `code.ts?variant=3`, changed as it is loaded; all else is loaded once. Nothing is written.
 */
const variantsPlugin: Plugin = {
  name: "variants",
  enforce: "pre",
  async resolveId(source, importer) {
    const [, file, variant] = /^(.*)\?variant=(\d+)$/.exec(importer ?? "") ?? [];
    const chapter = chapters.find(({ test }) => test === file);
    if (!chapter) return undefined;
    const resolved = await this.resolve(source, importer, { skipSelf: true });
    return resolved?.id === chapter.code ? `${chapter.code}?variant=${variant}` : resolved;
  },
  load(id) {
    const chapter = chapters.find(({ test }) => test === id);
    if (!chapter) return undefined;
    const { name, code, test } = chapter;
    return [
      `import { describeVariant, variantsOf } from ${JSON.stringify(join(repositoryRoot, "tests/variants.ts"))};`,
      `const variants = variantsOf(${JSON.stringify({ name, code })});`,
      ...variantsOf(chapter).map(
        (_variant, i) => `describeVariant(variants[${i}], () => import(${JSON.stringify(`${test}?variant=${i}`)}));`,
      ),
    ].join("\n");
  },
  transform(code, id) {
    const [, file, variant] = /^(.*)\?variant=(\d+)$/.exec(id) ?? [];
    const chapter = chapters.find((one) => one.code === file);
    return chapter && variantsOf(chapter)[Number(variant)]?.apply(code);
  },
};

export default defineConfig({
  plugins: [variantsPlugin],
  test: {
    root: repositoryRoot,
    include: ["chapters/*/code.test.ts"],
    runner: "tests/variants-runner.ts",
    dangerouslyIgnoreUnhandledErrors: true,
  },
});
