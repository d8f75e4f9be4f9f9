import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Server } from "./server";

/** Shifts `Date` in the product, which loads this file before all others; the monotonic clock is unchanged. */
const preload = (offsetFile: string) => `
import { readFileSync } from "node:fs";
const SystemDate = Date;
let offsetMs = 0;
setInterval(() => { offsetMs = Number(readFileSync(${JSON.stringify(offsetFile)}, "utf8")); }, 100).unref();
const now = () => SystemDate.now() + offsetMs;
globalThis.Date = new Proxy(SystemDate, {
  construct: (target, given, made) =>
    Reflect.construct(target, given.length === 0 ? [now()] : given, made === globalThis.Date ? target : made),
  get: (target, name) => (name === "now" ? now : Reflect.get(target, name)),
});
`;

/** The wall clock of a product's process. */
export interface Clock {
  /** Settings to start the product with. */
  env: Record<string, string>;
  shift(days: number): void;
}

export function makeClock(folder: string): Clock {
  const [file, offsetFile] = [join(folder, "clock.mjs"), join(folder, "clock-offset")];
  const shift = (days: number) => writeFileSync(offsetFile, String(days * 86_400_000));
  shift(0);
  writeFileSync(file, preload(offsetFile));
  return { env: { NODE_OPTIONS: `--import=${pathToFileURL(file).href}` }, shift };
}

/** The numbers of trail entries and counted calls in the store that are older than the given time. */
export async function countRecords(server: Server, before: Date): Promise<number[]> {
  const at = before.toISOString();
  const [entries] = await server.run(
    `select count(*)::int as n from audit_events where occurred_at < '${at}'`,
  );
  const [minutes] = await server.run(
    `select count(*)::int as n from metric_minutes where at < '${at}'`,
  );
  return [Number(entries?.n), Number(minutes?.n)];
}
