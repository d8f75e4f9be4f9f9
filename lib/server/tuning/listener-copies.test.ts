import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { startServer } from "@/lib/server/serve";
import { copyListener } from "./listener-copies";

const clients: Socket[] = [];

afterEach(() => {
  for (const client of clients.splice(0)) client.destroy();
});

const dial = (port: number): Socket => {
  const client = connect(port, "127.0.0.1").on("error", () => undefined);
  clients.push(client);
  return client;
};

/** The number of event loop turns in which this many simultaneous connections are accepted. */
async function turnsFor(server: Server, connections: number): Promise<number> {
  let [accepted, turns] = [0, 0];
  const onConnection = () => {
    if (accepted === 0) turns = 0;
    accepted += 1;
  };
  server.on("connection", onConnection);
  const { port } = server.address() as AddressInfo;
  for (let n = 0; n < connections; n += 1) dial(port);
  while (accepted < connections) {
    await new Promise((resolve) => setImmediate(resolve));
    turns += 1;
  }
  server.off("connection", onConnection);
  return turns;
}

test("a turn of the event loop accepts as many connections as there are copies of the socket", async () => {
  const server = createServer((socket) => socket.on("error", () => undefined));
  server.listen({ port: 0, host: "127.0.0.1", backlog: 512 });
  await once(server, "listening");
  const alone = await turnsFor(server, 200);
  const copies = copyListener(server, 15);
  await copies.made;
  const together = await turnsFor(server, 200);
  expect(together).toBeLessThan(alone / 4);
  copies.close();
  server.close();
});

test("requests accepted by a copy get a response, also for a half-closed client, and a stop closes the copies", async () => {
  const server = await startServer({ port: 0, listenerCopies: 4 });
  await server.copied;
  const port = Number(new URL(server.url).port);
  const responses = await Promise.all(
    Array.from({ length: 40 }, async () => {
      const client = dial(port);
      client.end("GET /nowhere HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n");
      let text = "";
      for await (const bytes of client) text += bytes;
      return text.slice(0, 12);
    }),
  );
  expect(new Set(responses)).toEqual(new Set(["HTTP/1.1 404"]));
  expect(await server.close()).toBe(true);
  const [error] = await once(connect(port, "127.0.0.1"), "error");
  expect(error).toMatchObject({ code: "ECONNREFUSED" });
});
