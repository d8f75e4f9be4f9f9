import { newId } from "@/lib/database/ids";
import type { Acting } from "./service";

/** On behalf of the server itself, for what nobody signed in for: `program` is what did it, such as "first-run". */
export function actingAsSystem(tenantId: string, program: string): Acting {
  return {
    tenantId,
    actor: { type: "system", id: program },
    requestId: newId("req"),
    address: "local",
    agent: program,
  };
}
