import { expect, test } from "vitest";
import { startServer } from "@/lib/server/serve";
import { connectRaw, get } from "@/lib/server/testing/raw";
import { connectionsToShed } from "@/lib/server/tuning/workers/balance";

test.each([
  ["one that does all the work", [32, 1], [0, 0.05], 7],
  ["one that is busier than the average of four", [40, 0.9], [10, 0.6], 5],
  ["one that has time, though others have more", [32, 0.5], [0, 0], 0],
  ["one that is as busy as the others", [30, 0.95], [2, 0.9], 0],
  ["one with a single connection, which moving would not divide", [1, 1], [0, 0], 0],
] as const)("%s", (_, [connections, utilization], [others, time], count) => {
  const own = { connections, utilization };
  const other = { connections: others, utilization: time };
  const all = count === 5 ? [own, other, other, other] : [own, other];
  expect(connectionsToShed(own, all)).toBe(count);
});

test("exactly the number of connections to shed close after their next response", async () => {
  const server = await startServer({ port: 0 });
  const connections = [1, 2, 3].map(() => connectRaw(server.url));
  server.shed(2);
  const ends: (string | undefined)[] = [];
  for (const connection of connections) {
    connection.send(get("/nowhere"));
    ends.push((await connection.answer()).headers.connection);
  }
  expect(ends).toEqual(["close", "close", "keep-alive"]);
  for (const connection of connections) connection.end();
  await server.close();
});
