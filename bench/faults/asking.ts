import { setTimeout as pause } from "node:timers/promises";
import type { LoadRequest } from "@/bench/load";

/** One kind of request, and its responses. */
export interface Kind {
  name: string;
  request: LoadRequest;
  isGood: (status: number) => boolean;
  /** The id of the row that a write created, from its response. */
  left?: (answer: Record<string, unknown>) => string;
}

export interface Told {
  kind: string;
  begunAt: number;
  endedAt: number;
  isGood: boolean;
  /** Set if the response is neither good nor a rejection with Retry-After. */
  wrong: string | undefined;
}

export interface Asking {
  response: Told[];
  acknowledged: Map<string, Set<string>>;
  stop(): Promise<void>;
}

let number = Date.now();

async function askOnce(
  url: string,
  { name, request, isGood, left }: Kind,
  asking: Asking,
): Promise<void> {
  const begunAt = performance.now();
  const note = (good: boolean, wrong?: string) =>
    void asking.response.push({
      kind: name,
      begunAt,
      endedAt: performance.now(),
      isGood: good,
      wrong,
    });
  number += 1;
  try {
    const response = await fetch(`${url}${request.path}`, {
      method: request.method,
      headers: {
        ...request.headers,
        ...(request.body ? { "Content-Type": "application/json" } : {}),
      },
      ...(request.body ? { body: request.body.replaceAll("{n}", String(number)) } : {}),
      signal: AbortSignal.timeout(30_000),
    });
    const text = await response.text();
    if (isGood(response.status)) {
      if (left) asking.acknowledged.get(name)?.add(left(JSON.parse(text)));
      return note(true);
    }
    const isRefusal = response.status === 503 && response.headers.has("retry-after");
    note(false, isRefusal ? undefined : `${response.status} ${text.slice(0, 200)}`);
  } catch (error) {
    // A stopped process does not respond, as the caller that stopped it expects.
    note(
      false,
      error instanceof Error && error.name === "TimeoutError" ? "no answer within 30 s" : undefined,
    );
  }
}

/** Repeats requests of every kind, each on this many connections, until it is stopped. */
export function ask(url: string, kinds: Kind[], connections: number): Asking {
  let isOver = false;
  const asking: Asking = {
    response: [],
    acknowledged: new Map(kinds.map(({ name }) => [name, new Set()])),
    async stop() {
      isOver = true;
      await all;
    },
  };
  const loop = async (kind: Kind) => {
    while (!isOver) {
      await askOnce(url, kind, asking);
      await pause(20);
    }
  };
  const all = Promise.all(
    kinds.flatMap((kind) => Array.from({ length: connections }, () => loop(kind))),
  );
  return asking;
}

export function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
