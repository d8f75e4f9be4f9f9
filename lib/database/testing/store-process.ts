import { sql } from "drizzle-orm";
import { leaveStore } from "@/lib/database/command";
import { currentStore, db, openStore } from "@/lib/database/open";
import { asOwner } from "@/lib/database/owner-connection";

/** A separate process that uses the store of DATA_DIR: says so in one line, adds a row for each line it is sent, and leaves when its input ends. */
async function main(): Promise<void> {
  // The output of an aborted test is closed: exit cleanly nevertheless.
  process.stdout.on("error", () => undefined);
  await openStore();
  await asOwner(async (owner) => {
    // Two processes may do this at once, for which "if not exists" is not enough.
    await owner.execute(sql`do $$ begin
      perform pg_advisory_xact_lock(1);
      create table if not exists notes (note text primary key);
      grant select, insert on notes to gatehouse_service;
    end $$`);
  });
  const { isStartedHere, postmasterPid } = currentStore().store.embedded ?? {};
  const { rows } = await db().execute<{ note: string }>(sql`select note from notes order by note`);
  process.stdout.write(
    `${JSON.stringify({ isStartedHere, postmasterPid, notes: rows.map(({ note }) => note) })}\n`,
  );
  for await (const line of process.stdin) {
    const note = String(line).trim();
    const answer = await db()
      .execute(sql`insert into notes values (${note})`)
      .then(
        () => "kept",
        () => "failed",
      );
    process.stdout.write(`${JSON.stringify({ answer })}\n`);
  }
  await leaveStore();
  // As the product does: does not wait for a connection that the server does not close.
  process.exit();
}

await main();
