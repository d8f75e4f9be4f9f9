import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { afterAll, beforeAll } from "vitest";
import { type ClientOptions, createClient, type Gatehouse } from "@/sdk/src/index.js";

/** One response of the script; "reset" ends the connection without one, "silence" keeps it open. */
type Step =
  | "reset"
  | "silence"
  | { status: number; headers?: Record<string, string>; body?: unknown };

interface Received {
  method: string;
  path: string;
  headers: IncomingMessage["headers"];
  at: number;
}

interface ScriptedServer {
  /** A client of a server that responds with the steps in order, repeating the last one. */
  client(steps: Step[], options?: Partial<ClientOptions>): Gatehouse;
  received: Received[];
}

export const failure = (status: number, code: string, headers = {}) => ({
  status,
  headers: { "Content-Type": "application/problem+json", ...headers },
  body: { code, detail: "It failed.", status },
});

function play(step: Step, response: ServerResponse): void {
  if (step === "silence") return;
  if (step === "reset") {
    response.socket?.destroy();
    return;
  }
  const { status, headers = {}, body } = step;
  const text = typeof body === "string" ? body : JSON.stringify(body ?? []);
  response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(text);
}

/** A server with scripted failures. */
export function scriptedServer(): ScriptedServer {
  let script: Step[] = [];
  let url = "";
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const { method = "", url: path = "", headers } = request;
    received.push({ method, path, headers, at: performance.now() });
    const step = script.length > 1 ? script.shift() : script[0];
    request.resume().once("end", () => play(step ?? "reset", response));
  });
  beforeAll(async () => {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    url = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    received,
    client(steps, options = {}) {
      script = [...steps];
      received.length = 0;
      return createClient({ url, tenant: "acme", apiKey: "svk_test", ...options });
    },
  };
}
