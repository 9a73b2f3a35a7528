import { expect, test } from "vitest";
import { createInbox } from "./inbox.ts";

const filled = () => {
  const inbox = createInbox();
  inbox.put({ origin: "job", text: "1" });
  inbox.put({ origin: "user", text: "2" });
  inbox.put({ origin: "job", text: "3" });
  return inbox;
};
const texts = (items: { text: string }[]) => items.map(({ text }) => text).join("");

test("what is first in the inbox is taken with all of its origin, the rest waits", () => {
  const inbox = filled();
  expect([texts(inbox.take()), texts(inbox.take()), texts(inbox.take())]).toEqual(["13", "2", ""]);
});

test("one may take what comes from somewhere, and leave what comes from elsewhere", () => {
  const inbox = filled();
  expect([texts(inbox.take("user", "goal")), texts(inbox.take("goal")), texts(inbox.take("job"))]).toEqual([
    "2",
    "",
    "13",
  ]);
});

test("who waits for an arrival is told at once of what is there already, and not of what was taken", () => {
  const inbox = filled();
  expect(inbox.arrival().aborted).toBe(true);
  inbox.take("job", "user");
  const arrival = inbox.arrival();
  expect(arrival.aborted).toBe(false);
  inbox.put({ origin: "cron", text: "4" });
  expect(arrival.aborted).toBe(true);
});

test("the history has what was taken, with its origin, and nothing that only waits", () => {
  const inbox = filled();
  inbox.take("job");
  expect(inbox.history).toEqual([
    { origin: "job", text: "1" },
    { origin: "job", text: "3" },
  ]);
});
