import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import {
  testCertificate,
  testKey,
} from "@/lib/features/destinations/audit-streams/testing/certificate";

/** How an endpoint behaves. */
export type Manner = "healthy" | "silent" | "failing";

interface Arrival {
  id: string;
  subject: string;
  /** From the time of the event to its arrival. */
  ms: number;
}

/** The deliveries to one endpoint. */
export interface Endpoint {
  manner: Manner;
  url: string;
  /** The first arrival of each event, in order of arrival. */
  first: Map<string, Arrival>;
  /** Events that were delivered more than once. */
  again: number;
  /** Events whose header and body have different ids, and those that were delivered again with another body. */
  wrong: string[];
  requests: number;
}

const texts = new Map<string, string>();

function keep(endpoint: Endpoint, headerId: string, text: string): void {
  const { id, subject, time } = JSON.parse(text);
  endpoint.requests += 1;
  if (headerId !== id) endpoint.wrong.push(`${id} came as ${headerId}`);
  const known = texts.get(id);
  if (known === undefined) texts.set(id, text);
  else if (known !== text) endpoint.wrong.push(`${id} has two texts`);
  if (endpoint.first.has(id)) endpoint.again += 1;
  else endpoint.first.set(id, { id, subject, ms: Date.now() - Date.parse(time) });
}

/** Endpoints over https on this machine, one for each behaviour. */
export async function openEndpoints(manners: readonly Manner[]) {
  const server = createServer({ key: testKey, cert: testCertificate }, (request, response) => {
    const endpoint = endpoints[Number(request.url?.slice(1))];
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const text = Buffer.concat(parts).toString("utf8");
      if (endpoint) keep(endpoint, String(request.headers["webhook-id"]), text);
      if (endpoint?.manner === "healthy") response.writeHead(204).end();
      if (endpoint?.manner === "failing") response.writeHead(500).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const endpoints: Endpoint[] = manners.map((manner, index) => ({
    ...{ manner, url: `https://127.0.0.1:${port}/${index}` },
    ...{ first: new Map(), again: 0, wrong: [], requests: 0 },
  }));
  return {
    endpoints,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
