import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { silentMs, startImporting, wakeImports } from "@/lib/features/customers/imports/engine";
import type { Answered, Send } from "@/lib/http/testing/test-server";

type Headers = Record<string, string>;

/** The values as NDJSON. */
export const ndjson = (lines: readonly unknown[]): string =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join("");

/** Logins unique to a test. */
export function newLogins(count: number): string[] {
  const mark = randomBytes(5).toString("hex");
  return Array.from({ length: count }, (_, place) => `imported-${mark}-${place}@example.com`);
}

const isOpen = ({ body }: Answered) => ["queued", "running"].includes(body.state);

/** The requests of staff for imports at one site. */
export function importer(send: Send, headers: Headers) {
  const at = (path: string, query = "") =>
    send(`GET /v1/customers/imports/${path}${query}`, { headers });
  return {
    upload: (raw: string, given: Headers = {}) =>
      send("POST /v1/customers/imports", {
        headers: { ...headers, "Content-Type": "application/x-ndjson", ...given },
        raw,
      }),
    show: (id: string) => at(id),
    cancel: (id: string) => send(`POST /v1/customers/imports/${id}/cancel`, { headers }),
    results: (id: string, query = "?limit=200") => at(`${id}/results`, query),
    /** Waits for the end of the import and returns it. */
    async ended(id: string): Promise<Answered["body"]> {
      for (;;) {
        const shown = await at(id);
        if (!isOpen(shown)) return shown.body;
        wakeImports();
        await wait(20);
      }
    },
  };
}

/** Imports in this process until the test ends, and takes over at once leases that others do not renew. */
export function startTestEngine(): () => Promise<void> {
  silentMs.running = 50;
  const stop = startImporting();
  onTestFinished(stop);
  return stop;
}
