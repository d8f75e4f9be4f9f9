import type { Socket } from "node:net";
import { lengthOf } from "@/bench/response";

/** A kind of request, and how many connections send it repeatedly. */
export interface Kind {
  name: string;
  connections: number;
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
}

/** A slow request and its start time. */
interface Slow {
  ms: number;
  status: number;
  atMs: number;
  isFirst: boolean;
}

const mostSlow = 5;

/** Keeps the slowest few. */
export function noteSlow(slowest: Slow[], one: Slow): void {
  if (slowest.length === mostSlow && one.ms <= (slowest.at(-1)?.ms ?? 0)) return;
  slowest.push(one);
  slowest.sort((a, b) => b.ms - a.ms).splice(mostSlow);
}

export interface Tally {
  statuses: Record<string, number>;
  /** Milliseconds. */
  accepted: number[];
  rejected: number[];
  slowest: Slow[];
  problems: Record<string, number>;
}

export const newTally = (): Tally => ({
  statuses: {},
  accepted: [],
  rejected: [],
  slowest: [],
  problems: {},
});

const clientTimeoutMs = 30_000;

export const bump = (counts: Record<string, number>, name: string) => {
  counts[name] = (counts[name] ?? 0) + 1;
};

export function textOf({ method, path, headers, body }: Kind, host: string): string {
  const length = body === undefined ? {} : { "Content-Length": String(Buffer.byteLength(body)) };
  const lines = Object.entries({ Host: host, ...headers, ...length }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return `${method} ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${body ?? ""}`;
}

export interface Response {
  status: number;
  head: string;
  body: string;
}

/** Sends one request and reads its whole response. Fails when the connection ends, or on a timeout. */
export function exchange(socket: Socket, text: string): Promise<Response> {
  return new Promise((resolve, reject) => {
    let received: Buffer = Buffer.alloc(0);
    const end = (settle: () => void) => {
      clearTimeout(timer);
      socket.off("data", onData).off("close", onClose);
      settle();
    };
    const onData = (chunk: Buffer) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      const length = lengthOf(received);
      if (length === 0) return;
      const headEnd = received.indexOf("\r\n\r\n");
      const status = Number(received.toString("latin1", 9, 12));
      // The body of a successful response is not needed.
      const body = status < 300 ? "" : received.toString("utf8", headEnd + 4, length);
      end(() => resolve({ status, head: received.toString("latin1", 0, headEnd), body }));
    };
    const onClose = () => end(() => reject(new Error("connection closed")));
    const timer = setTimeout(() => {
      end(() => reject(new Error("no answer")));
      socket.destroy();
    }, clientTimeoutMs);
    socket.on("data", onData).on("close", onClose);
    socket.write(text);
  });
}
