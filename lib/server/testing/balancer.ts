import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A minimal load balancer: sends each request to the next node whose /readyz responds 200, without retries. */
export interface Balancer {
  url: string;
  /** Whether the node gets requests. */
  isServing(node: string): boolean;
  close(): Promise<void>;
}

const askEveryMilliseconds = 200;
/** One of this many requests goes on a separate connection, which ends with it. */
const newConnectionEvery = 4;

export async function startBalancer(nodes: readonly string[]): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true });
  const ready = new Set<string>();
  const ask = async (node: string) => {
    const isReady = await fetch(`${node}/readyz`, { signal: AbortSignal.timeout(1000) }).then(
      async (response) => {
        await response.body?.cancel();
        return response.ok;
      },
      // A probe that times out does not change the node's state: the machine may be busy.
      (error: Error) => error.name === "TimeoutError" && ready.has(node),
    );
    if (isReady) ready.add(node);
    else ready.delete(node);
  };
  const watching = setInterval(() => void Promise.all(nodes.map(ask)), askEveryMilliseconds);
  let turn = 0;
  const server = createServer((incoming, outgoing) => {
    const serving = nodes.filter((node) => ready.has(node));
    turn += 1;
    const node = serving[turn % serving.length];
    const isAlone = turn % newConnectionEvery === 0;
    if (node === undefined) outgoing.writeHead(503).end("no node is ready");
    else forward({ node, agent: isAlone ? false : agent }, incoming, outgoing);
  }).listen(0, "127.0.0.1");
  await Promise.all([once(server, "listening"), ...nodes.map(ask)]);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    isServing: (node) => ready.has(node),
    async close() {
      clearInterval(watching);
      agent.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function forward(
  { node, agent }: { node: string; agent: Agent | false },
  incoming: IncomingMessage,
  outgoing: ServerResponse,
) {
  const { method, url, headers } = incoming;
  const { connection: _, ...passed } = headers;
  const asked = request(`${node}${url}`, { method, headers: passed, agent }, (answer) => {
    const { connection: __, "keep-alive": ___, ...response } = answer.headers;
    outgoing.writeHead(answer.statusCode ?? 502, response);
    answer.pipe(outgoing);
    answer.on("error", () => outgoing.destroy());
  });
  asked.on("error", (error) => {
    if (outgoing.headersSent) outgoing.destroy();
    else outgoing.writeHead(502).end(`${node}: ${error.message}`);
  });
  incoming.pipe(asked);
}
