import { connect } from "node:net";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import {
  bump,
  exchange,
  type Kind,
  newTally,
  noteSlow,
  type Response,
  type Tally,
  textOf,
} from "./connection";

export interface OverloadOrder {
  url: string;
  seconds: number;
  kinds: Kind[];
}

export interface OverloadResult {
  /** One for each kind, in the same order. */
  tallies: Tally[];
  /** The event loop delay of this process, which adds to the measured latencies. */
  ownDelayP99Ms: number;
  cpuSeconds: number;
}

const connectionsPerAddress = 50;

const headerOf = (head: string, name: string) =>
  new RegExp(`^${name}: *(.*)$`, "im").exec(head)?.[1]?.trim();

function judge(kind: Kind, { status, head, body }: Response, tally: Tally): void {
  if (status === 400 || status === 401) bump(tally.problems, `valid request told ${status}`);
  if (status < 429) return;
  if (headerOf(head, "retry-after") === undefined)
    bump(tally.problems, `${status} without Retry-After`);
  const isJson = /\bjson\b/.test(headerOf(head, "content-type") ?? "") && body.includes("{");
  if (!isJson && kind.name !== "page") bump(tally.problems, `${status} not in JSON`);
}

interface Load {
  kind: Kind;
  tally: Tally;
}

/** One connection: the next request is sent after the previous response, or when Retry-After allows it. */
async function drive(
  url: string,
  place: number,
  until: number,
  { kind, tally }: Load,
): Promise<void> {
  const { hostname, port, host } = new URL(url);
  const localAddress = `127.0.1.${1 + Math.floor(place / connectionsPerAddress)}`;
  const text = textOf(kind, host);
  const dial = () =>
    connect({ port: Number(port), host: hostname, localAddress })
      .setNoDelay(true)
      .on("error", () => undefined);
  let socket = dial();
  let isFirst = true;
  const beganAt = performance.now();
  while (performance.now() < until) {
    const startedAt = performance.now();
    try {
      if (socket.destroyed || !socket.writable) socket = dial();
      const response = await exchange(socket, text);
      const ms = performance.now() - startedAt;
      bump(tally.statuses, String(response.status));
      judge(kind, response, tally);
      (response.status < 400 ? tally.accepted : tally.rejected).push(ms);
      noteSlow(tally.slowest, { ms, status: response.status, atMs: startedAt - beganAt, isFirst });
      isFirst = false;
      if (/^connection: *close/im.test(response.head)) socket.destroy();
      const wait = Number(headerOf(response.head, "retry-after") ?? 0) * 1000;
      if (wait > 0) await pause(Math.min(wait, Math.max(0, until - performance.now())));
    } catch (error) {
      bump(tally.problems, error instanceof Error ? error.message : String(error));
      await pause(1000);
    }
  }
  socket.destroy();
}

async function main({ url, seconds, kinds }: OverloadOrder): Promise<OverloadResult> {
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  const tallies = kinds.map(newTally);
  const loads = kinds.flatMap((kind, at) =>
    Array.from({ length: kind.connections }, () => ({ kind, tally: tallies[at] ?? newTally() })),
  );
  const until = performance.now() + seconds * 1000;
  await Promise.all(loads.map((load, place) => drive(url, place, until, load)));
  const { user, system } = process.cpuUsage();
  const ownDelayP99Ms = delay.percentile(99) / 1e6 - 10;
  return { tallies, ownDelayP99Ms, cpuSeconds: (user + system) / 1e6 };
}

const [, , order] = process.argv;
process.stdout.write(JSON.stringify(await main(JSON.parse(order ?? "{}"))));
