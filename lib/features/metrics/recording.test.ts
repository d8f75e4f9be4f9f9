import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { dataDir } from "@/lib/database/data-dir";
import { db } from "@/lib/database/open";
import { reportCompletedRequest, requestContextOf } from "@/lib/http/request-context";
import { makeTenant } from "@/lib/setup/testing/factories";
import { encodeLabels } from "./call-labels";
import { minuteMs } from "./grains";
import { startRecording, stopRecording } from "./recording";
import { newSpoolName } from "./spool";

const spools = join(dataDir(), "spool", "metrics");

function call(tenantId: string): void {
  const request = new Request("http://127.0.0.1/v1/user/list", {
    headers: { "X-Service-Tenant": tenantId },
  });
  const template = "/v1/user/list";
  const context = requestContextOf(request);
  reportCompletedRequest({ request, context, method: "GET", template, status: 200, durationMs: 1 });
}

/** Creates the spool that a killed process of this machine would leave. */
function leaveSpool(tenantId: string): string {
  const [host = ""] = newSpoolName().split("-");
  const gone = join(spools, `${host}-999999999-abc-def`);
  const minute = Math.floor(Date.now() / minuteMs) * minuteMs;
  const values = encodeLabels({
    domain: "user",
    endpoint: "GET /x",
    method: "GET",
    status: "200",
    credentialKind: "none",
  });
  const tenants = [[tenantId, [{ values, count: 5, latency: [] }]]];
  mkdirSync(gone, { recursive: true });
  writeFileSync(
    join(gone, "000000000001.json"),
    JSON.stringify({ seq: 1, minute, since: minute, tenants }),
  );
  return gone;
}

const spooledBy = (except: string) =>
  readdirSync(spools, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(spools, name))
    .filter((folder) => folder !== except)
    .flatMap((folder) => readdirSync(folder))
    .filter((file) => file.endsWith(".json"));

test("counts are spooled while a predecessor's spool waits for the store", async () => {
  const tenantId = await makeTenant();
  const gone = leaveSpool(tenantId);
  const client = await db().$client.connect();
  try {
    await client.query("begin");
    await client.query("set local idle_in_transaction_session_timeout = 0");
    await client.query("lock table metric_batches in exclusive mode");
    startRecording();
    while (spooledBy(gone).length === 0) {
      call(tenantId);
      await pause(50);
    }
    expect(existsSync(join(gone, "000000000001.json"))).toBe(true);
  } finally {
    await client.query("rollback");
    client.release();
    await stopRecording();
  }
});
