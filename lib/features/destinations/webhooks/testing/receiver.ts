import { createHmac, randomUUID } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Answered } from "@/lib/http/testing/test-server";

export interface Received {
  headers: IncomingHttpHeaders;
  text: string;
  body: Answered["body"];
  at: number;
}

type Reply = (response: ServerResponse, received: Received) => void;

export interface Receiver {
  url: string;
  received: Received[];
  connections(): number;
  /** Sets the response for later requests. */
  reply(reply: Reply): void;
  close(): Promise<void>;
}

export const status =
  (code: number, headers: Record<string, string> = {}): Reply =>
  (response) =>
    response.writeHead(code, headers).end();

/** A server on this machine that stores the requests to its path. It ignores requests meant for an earlier server on its port. */
export async function openReceiver(first: Reply = status(204)): Promise<Receiver> {
  const received: Received[] = [];
  let [reply, connections] = [first, 0];
  const path = `/hook/${randomUUID()}`;
  const server = createServer((request, response) => {
    if (!request.url?.startsWith(path)) return void response.writeHead(404).end();
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const text = Buffer.concat(parts).toString("utf8");
      const one = { headers: request.headers, text, body: JSON.parse(text), at: Date.now() };
      received.push(one);
      reply(response, one);
    });
  });
  server.on("connection", () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    received,
    connections: () => connections,
    reply(next) {
      reply = next;
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** The signature that the secret's owner expects, as Standard Webhooks computes it. */
export function expectedSignature(secret: string, { headers, text }: Received): string {
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${text}`;
  return `v1,${createHmac("sha256", key).update(signed).digest("base64")}`;
}
