import { type Attempt, attempted } from "@/lib/features/delivery/attempt";
import type { Batch } from "./batch";
import { sendToFile } from "./file";
import { sendByHttps } from "./https";
import type { StreamRow } from "./rows";
import { sendToStorage } from "./s3";
import { openSecrets } from "./secrets";
import { sendBySyslog } from "./syslog";

const lostSecrets =
  "The stream's secrets were encrypted with a SECRET_KEY that is lost. Give them again, and rotate what signs.";

/** Sends a batch once. Never throws: whatever happens is the outcome of the attempt. */
export function sendBatch(
  { tenantId, streamId, settings, secrets: sealed }: StreamRow,
  batch: Batch,
): Promise<Attempt> {
  const secrets = openSecrets(sealed, streamId)?.secrets;
  if (!secrets || (settings.kind === "https" && secrets.signing === undefined))
    return attempted(() => Promise.resolve({ problem: lostSecrets }));
  const stream = { tenantId, streamId };
  switch (settings.kind) {
    case "https":
      return sendByHttps({ ...stream, settings, secrets }, batch);
    case "syslog":
      return sendBySyslog({ ...stream, settings }, batch);
    case "s3":
      return sendToStorage({ ...stream, settings, secrets }, batch);
    case "file":
      return sendToFile({ ...stream, settings }, batch);
  }
}
