/** Something from outside the conversation. Its origin is no part of its text: nothing anyone writes can claim one. */
export interface Item {
  /** Who put it there: "user", "job", "cron", "team", "goal" … */
  origin: string;
  text: string;
}

/** The one way in: all that can start a turn, or join one that runs. */
export interface Inbox {
  put: (item: Item) => void;
  /** Takes what waits of these origins, in order; without any, the first and what waits of the same origin. */
  take: (...origins: string[]) => Item[];
  /** Aborts when something waits: whoever reads a line gives up then. */
  arrival: () => AbortSignal;
  /** All that was ever taken. It is no part of the conversation, so compaction does not touch it. */
  history: readonly Item[];
}

export function createInbox(): Inbox {
  const waiting: Item[] = [];
  const history: Item[] = [];
  let bell = new AbortController();
  return {
    put(item) {
      waiting.push(item);
      bell.abort();
    },
    take(...origins) {
      const wanted = origins.length > 0 ? origins : waiting.slice(0, 1).map(({ origin }) => origin);
      const taken = waiting.filter(({ origin }) => wanted.includes(origin));
      waiting.splice(0, waiting.length, ...waiting.filter((item) => !taken.includes(item)));
      history.push(...taken);
      if (waiting.length === 0) bell = new AbortController();
      return taken;
    },
    arrival: () => bell.signal,
    history,
  };
}
