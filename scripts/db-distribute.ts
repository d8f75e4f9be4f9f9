import { runProgram } from "@/lib/database/command";
import { distributeStore } from "@/lib/database/distribution";
import { migrateStore, waitForTurn } from "@/lib/database/migrate";
import { withOwnerConnection } from "@/lib/database/owner-connection";

await runProgram(() =>
  withOwnerConnection(async ({ client }, { owner }) => {
    await migrateStore(owner);
    await waitForTurn(client);
    return distributeStore(client);
  }),
);
