import { expect, onTestFinished, test } from "vitest";
import { connect, type ServerSession } from "./connection";
import { openServerSessions } from "./server-sessions";
import { failureOf } from "./testing/failing";

const config = { connectionString: process.env.DATABASE_URL };
const limits = { statementMilliseconds: 5000, lockMilliseconds: 5000 };

async function openConnection() {
  const connection = await connect(config, limits);
  onTestFinished(connection.destroy);
  if (connection.session === undefined) throw new Error("The connection knows no session.");
  return { ...connection, session: connection.session };
}

function openSessions() {
  const sessions = openServerSessions(config);
  onTestFinished(sessions.close);
  return sessions;
}

test("the session of a dead connection is terminated, however recently its last statement ended", async () => {
  const { client, session } = await openConnection();
  await client.query("begin");
  await client.query("select 1");
  await openSessions().terminate([session]);
  expect(await failureOf(client.query("select 1"))).toBeInstanceOf(Error);
});

test("a later session with the process id of a dead one is not ended", async () => {
  const { client, session } = await openConnection();
  const earlier: ServerSession = { ...session, startedAt: "2020-01-01 00:00:00+00" };
  await openSessions().terminate([earlier]);
  expect((await client.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
});
