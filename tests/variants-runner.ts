/** Runs of each variant the one test that has to notice it: the others are not even begun. */
import { TestRunner, type RunnerTestSuite } from "vitest";
import { findChapters } from "../shared/course/chapters.ts";
import { variantsOf } from "./variants.ts";

export default class VariantsRunner extends TestRunner {
  override async onBeforeRunSuite(suite: RunnerTestSuite): Promise<void> {
    const chapter = findChapters().find(({ test }) => test === suite.file.filepath);
    const variant = chapter && !suite.suite && variantsOf(chapter).find(({ name }) => name === suite.name);
    if (variant && variant.noticedBy) skipOthers(suite, variant.noticedBy);
    await super.onBeforeRunSuite(suite);
  }
}

function skipOthers({ tasks }: RunnerTestSuite, noticedBy: string): void {
  for (const task of tasks) {
    if (task.type === "suite") skipOthers(task, noticedBy);
    else if (!task.name.includes(noticedBy)) task.mode = "skip";
  }
}
