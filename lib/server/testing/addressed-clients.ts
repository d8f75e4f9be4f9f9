import { once } from "node:events";
import { type IncomingMessage, request, type ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { afterAll } from "vitest";
import { projectRoot } from "@/lib/database/data-dir";
import { trustedProxies } from "@/lib/protocol/setting-formats";
import type { Limits } from "@/lib/server/limits";
import { loadRoutes } from "@/lib/server/routes";
import { type RunningServer, startServer } from "@/lib/server/serve";
import { makeApiKey, makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

/** Linux accepts every address of 127.0.0.0/8, so one machine can act as several clients. */
export const stranger = "127.0.0.2";
export const neighbour = "127.0.0.3";

export type Headers = Record<string, string>;

const servers: RunningServer[] = [];
/** The addresses of clients that send endless bodies. */
export const sockets: Socket[] = [];

afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await Promise.all(servers.map((server) => server.close()));
});

/** An administrator's headers, by session and by API key. */
export async function makeCredentials(): Promise<{ key: Headers; session: Headers }> {
  const tenant = await makeTenant();
  const { userId } = await makeUser(tenant, { roleIds: ["tenant.admin"] });
  const key = (await makeApiKey(tenant, userId)).headers;
  return { key, session: (await makeSession(tenant, userId)).headers };
}

/** A server of the product's routes and of one page, with these limits; returns its address. */
export async function open(
  limits: Partial<Limits> = {},
  trusted?: string,
  host = "0.0.0.0",
): Promise<string> {
  const routes = await loadRoutes(
    join(projectRoot(), "app"),
    (file) => import(/* @vite-ignore */ file),
  );
  const pages = {
    // As Next does: a page with a body reads it first.
    request: (req: IncomingMessage, res: ServerResponse) => {
      req.on("end", () => res.end("a page")).resume();
    },
  };
  const server = await startServer({
    port: 0,
    host,
    routes,
    limits,
    pages,
    trusted: trustedProxies(trusted),
  });
  servers.push(server);
  return server.url.replace("0.0.0.0", "127.0.0.1").replace("[::]", "[::1]");
}

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** One request on a separate connection, from this source address. */
export async function call(
  url: string,
  path: string,
  {
    from,
    headers = {},
    method = "GET",
    body,
  }: { from: string; headers?: Headers; method?: string; body?: string },
): Promise<Answer> {
  const sent = request(`${url}${path}`, {
    method,
    headers: { Connection: "close", ...headers },
    localAddress: from,
  });
  sent.end(body);
  const [response] = await once(sent, "response");
  let text = "";
  for await (const chunk of response) text += chunk;
  return { status: response.statusCode, headers: response.headers, text };
}

/** Sends headers and one byte of a body, and then nothing. */
export async function dribble(
  url: string,
  from: string,
  { path = "/v1/customer/login/refresh-token", forwarded = from } = {},
): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), localAddress: from });
  sockets.push(socket);
  socket.on("error", () => socket.destroy());
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nX-Forwarded-For: ${forwarded}\r\n`,
  );
  socket.write("X-Service-Tenant: a\r\nX-Service-Site: one\r\nContent-Length: 100\r\n\r\n{");
  await Promise.race([once(socket, "connect"), once(socket, "close")]);
  return socket;
}
