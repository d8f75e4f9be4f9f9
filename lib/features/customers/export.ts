import type { z } from "zod";
import type { SignedInShopper } from "@/lib/access/shopper";
import type { Context } from "@/lib/http/context";
import { streamText } from "@/lib/http/stream-text";
import { listAccesses } from "./accesses";
import { listActivity, listSignIns } from "./activity-queries";
import type { ExportRecord } from "./contract";
import { getOwnProfile } from "./own-profile";

type Part = z.input<typeof ExportRecord>[];

const partSize = 500;

async function* parts(shopper: SignedInShopper, profile: Part): AsyncGenerator<Part> {
  yield profile;
  yield (await listSignIns(shopper)).map((data) => ({ type: "session", data }));
  for (let before: string | undefined; ; ) {
    const { items, next } = await listActivity(shopper, partSize, { before });
    yield items.map((data) => ({ type: "activity", data }));
    if (next === undefined) break;
    before = next;
  }
  yield (await listAccesses(shopper)).map((data) => ({ type: "access", data }));
}

/** All that is kept of one's own account, as a list that is written while it is read; NDJSON when that is asked for. */
export async function exportOwn(
  context: Pick<
    Context<unknown, unknown, string, SignedInShopper>,
    "caller" | "format" | "responseHeaders"
  >,
) {
  const { caller, format } = context;
  const { profile } = await getOwnProfile(caller);
  const list = parts(caller, [{ type: "profile", data: profile }]);
  if (format === "application/json") return list;
  return streamText(context, list, { line: (record) => `${JSON.stringify(record)}\n` });
}
