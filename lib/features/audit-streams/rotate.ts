import type { Caller } from "@/lib/access/caller";
import { transactionFor } from "@/lib/database/held-transactions";
import { actingAs, record } from "@/lib/features/audit/service";
import { assertNoRotation, secretText } from "@/lib/features/delivery/signature";
import { ApiError, invalid } from "@/lib/protocol/errors";
import { targetOf } from "./open-stream";
import { lockStream, setStream } from "./rows";
import { newSigningSecret, openSecrets, sealSecrets } from "./secrets";
import { maxOverlapDays } from "./values";

interface Asking {
  caller: Caller;
  params: { id: string };
  /** Seconds. */
  body: { overlap?: number | undefined; force: boolean };
}

/** Gives a stream over https a new secret; the one so far signs too until the overlap ends. Throws 400 for a long one, 404 and 409. */
export async function rotateAuditStreamSecret({ caller, params: { id }, body }: Asking) {
  const { overlap = 86_400, force } = body;
  if (overlap > maxOverlapDays * 86_400)
    throw invalid([
      { pointer: "/overlap", detail: `/overlap must be at most P${maxOverlapDays}D.` },
    ]);
  const secret = newSigningSecret();
  return transactionFor(caller, async (tx) => {
    const row = await lockStream(tx, caller.tenantId, id);
    if (row.settings.kind !== "https")
      throw new ApiError("audit-stream.not-signed", "Only streams of the kind https sign.");
    const { signing, ...others } = openSecrets(row.secrets, id)?.secrets ?? {};
    const former = others.previousValidTo === undefined ? null : new Date(others.previousValidTo);
    if (!force) assertNoRotation("audit-stream.rotation-in-progress", former);
    const previousValidTo = new Date(Date.now() + overlap * 1000).toISOString();
    const previous = signing === undefined ? {} : { previousSigning: signing, previousValidTo };
    const renewed = { ...others, ...previous, signing: secret.toString("base64") };
    await setStream(tx, row, { secrets: sealSecrets(renewed, id), dueAt: new Date() });
    const changes = { previousValidTo: { after: previousValidTo } };
    const fact = { action: "audit-stream.rotated", target: targetOf(row), changes };
    await record(tx, actingAs(caller), fact);
    return { secret: secretText(secret), previousValidTo };
  });
}
