import { createHash, createHmac } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo, Server, Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import type { StreamedEntry } from "@/lib/features/destinations/audit-streams/stream";
import { testCertificate, testKey } from "./certificate";

const identity = { key: testKey, cert: testCertificate };

export interface Received {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  text: string;
}

export const entriesOf = (text: string): StreamedEntry[] =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));

/** The numbers of the entries in the order of arrival. */
export const numbersOf = (received: readonly { text: string }[]): number[] =>
  received.flatMap(({ text }) => entriesOf(text).map(({ chain }) => chain?.seq ?? 0));

const listen = (server: Server) =>
  new Promise<number>((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });

type Status = (one: Received) => number | null | Promise<number | null>;

/** A receiver over https on this machine. `status` is the response status; null for no response. */
export async function openHttps(status: Status = () => 204) {
  const received: Received[] = [];
  let answer = status;
  const server = createServer(identity, (request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", async () => {
      const { method = "", url: path = "", headers } = request;
      const one = { method, path, headers, text: Buffer.concat(parts).toString("utf8") };
      received.push(one);
      const code = await answer(one);
      if (code !== null) response.writeHead(code).end();
    });
  });
  const port = await listen(server);
  return {
    url: `https://127.0.0.1:${port}/`,
    received,
    answer(next: Status) {
      answer = next;
    },
    close() {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

export type HttpsReceiver = Awaited<ReturnType<typeof openHttps>>;

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const mac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();

/** Whether the request's signature is valid, computed as a storage service does from the received bytes only. */
export function isSigned({ method, path, headers, text }: Received, secret: string): boolean {
  const parts = /Credential=[^/]+\/([^,]+),\s*SignedHeaders=([^,]+),\s*Signature=(.+)$/.exec(
    String(headers.authorization),
  );
  const [, scope = "", names = "", signature] = parts ?? [];
  const lines = names.split(";").map((name) => `${name}:${String(headers[name])}\n`);
  const request = [method, path, "", lines.join(""), names, sha256(text)].join("\n");
  const date = String(headers["x-amz-date"]);
  const toSign = ["AWS4-HMAC-SHA256", date, scope, sha256(request)].join("\n");
  const key = scope.split("/").reduce<string | Buffer>(mac, `AWS4${secret}`);
  const isBodyNamed = headers["x-amz-content-sha256"] === sha256(text);
  return isBodyNamed && mac(key, toSign).toString("hex") === signature;
}

/** Storage on this machine that rejects requests not signed with the secret, and stores objects by path. */
export async function openStorage(secret: string) {
  const objects = new Map<string, string>();
  const opened = await openHttps((one) => {
    if (!isSigned(one, secret)) return 403;
    objects.set(one.path, one.text);
    return 200;
  });
  return { ...opened, objects };
}

/** The messages of a text in frames of octet counting; throws if a count is wrong. */
export function messagesOf(bytes: Buffer): string[] {
  const messages: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(" ", at);
    const length = Number(bytes.subarray(at, space).toString("ascii"));
    if (!Number.isInteger(length) || length < 1) throw new Error(`No frame begins at ${at}.`);
    messages.push(bytes.subarray(space + 1, space + 1 + length).toString("utf8"));
    at = space + 1 + length;
  }
  return messages;
}

/** A receiver of syslog over TLS. While unwilling, it resets each connection before it reads anything. */
export async function openSyslog() {
  const received: { text: string }[] = [];
  const messages: string[] = [];
  let isWilling = true;
  const sockets = new Set<Socket>();
  let newest: Socket | undefined;
  const server = createTlsServer(identity, (socket) => {
    const parts: Buffer[] = [];
    socket.on("error", () => undefined);
    if (!isWilling) {
      newest?.resetAndDestroy();
      return;
    }
    socket.on("data", (part: Buffer) => {
      parts.push(part);
    });
    socket.on("end", () => {
      const whole = messagesOf(Buffer.concat(parts));
      messages.push(...whole);
      const bodies = whole.map((one) => one.slice(one.indexOf("\ufeff") + 1));
      received.push({ text: bodies.join("\n") });
    });
  });
  server.on("connection", (socket: Socket) => {
    newest = socket;
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
  });
  const port = await listen(server);
  return {
    port,
    received,
    messages,
    willing(next: boolean) {
      isWilling = next;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
