import { and, eq } from "drizzle-orm";
import { newId } from "@/lib/database/ids";
import { db, transaction } from "@/lib/database/open";
import { auditEvents, auditStreams } from "@/lib/database/schema/schema";
import { actingAsSystem, record } from "@/lib/features/audit/service";
import {
  insertStream,
  newSigningSecret,
  type StreamRow,
  sealSecrets,
} from "@/lib/features/destinations/audit-streams/rows";
import type { StreamSettings } from "@/lib/protocol/documents/delivery";
import { makeTenant } from "@/lib/setup/testing/factories";

export const storageSecret = "a secret of storage";

/** A separate tenant with an audit trail, and streams that start at its first entry. */
export async function makeStreamWorld() {
  const tenant = await makeTenant();
  const ofTenant = eq(auditStreams.tenantId, tenant);
  return {
    tenant,
    async add(settings: StreamSettings, row: Partial<StreamRow> = {}): Promise<string> {
      const streamId = newId("ast");
      const signing = newSigningSecret().toString("base64");
      const secrets = sealSecrets({ signing, secretAccessKey: storageSecret }, streamId);
      const rest = { description: "", log: [], auditSeq: 0, createdAt: new Date(), ...row };
      await transaction((tx) =>
        insertStream(tx, { tenantId: tenant, streamId, settings, secrets, ...rest }),
      );
      return streamId;
    },
    async happen(count: number): Promise<void> {
      for (let n = 0; n < count; n += 1)
        await transaction((tx) =>
          record(tx, actingAsSystem(tenant, "test"), {
            action: "user.updated",
            target: { type: "user", id: `user_${n}`, name: "Ada Example" },
            changes: { note: { after: 'a "quoted" text with ] and é' } },
          }),
        );
    },
    async stream(streamId: string): Promise<StreamRow> {
      const [row] = await db()
        .select()
        .from(auditStreams)
        .where(and(ofTenant, eq(auditStreams.streamId, streamId)));
      if (!row) throw new Error("There is no such stream.");
      return row;
    },
    set: (streamId: string, row: Partial<StreamRow>) =>
      db()
        .update(auditStreams)
        .set(row)
        .where(and(ofTenant, eq(auditStreams.streamId, streamId))),
    async entries() {
      const found = await db()
        .select()
        .from(auditEvents)
        .where(eq(auditEvents.tenantId, tenant))
        .orderBy(auditEvents.seq);
      return found.map(({ seq, action, auditId, changes }) => ({ seq, action, auditId, changes }));
    },
  };
}
