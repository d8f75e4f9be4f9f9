import { and, eq, sql } from "drizzle-orm";
import type { Caller } from "@/lib/access/caller";
import { transactionFor } from "@/lib/database/held-transactions";
import { newId } from "@/lib/database/ids";
import type { Transaction } from "@/lib/database/open";
import { previewConfigurations } from "@/lib/database/schema/schema";
import { type Acting, actingAs, record } from "@/lib/features/audit/service";
import type { PreviewVia } from "@/lib/protocol/documents/preview";
import { ApiError } from "@/lib/protocol/errors";
import { publicUrl } from "@/lib/protocol/settings";
import { type Content, contentOf } from "./content";
import type { Preview } from "./contract";
import { type Author, changesTo, insertRevision, siteOf, targetOf } from "./find";
import { getPreview } from "./list";
import { assertBytesWithinQuota, assertConfigurationsWithinQuota } from "./storage";

interface NewConfiguration {
  siteId: string;
  key: string;
  content: Content;
}

/** Creates the configuration; false when the site has one of that key. */
export async function addPreview(
  tx: Transaction,
  acting: Acting,
  author: Author,
  { siteId, key, content }: NewConfiguration,
): Promise<boolean> {
  const { tenantId } = acting;
  const previewId = newId("pvw");
  const inserted = await tx
    .insert(previewConfigurations)
    .values({ tenantId, previewId, siteId, previewKey: key, version: 1, ...content.summary })
    .onConflictDoNothing({
      target: [
        previewConfigurations.tenantId,
        previewConfigurations.siteId,
        previewConfigurations.previewKey,
      ],
      where: sql`deleted_at is null`,
    })
    .returning({ previewId: previewConfigurations.previewId });
  if (inserted.length === 0) return false;
  const revision = { tenantId, previewId, version: 1, content };
  const written = await insertRevision(tx, author, revision);
  await record(tx, acting, {
    action: "preview.created",
    target: targetOf(siteId, previewId, key),
    changes: changesTo(undefined, written),
  });
  await assertConfigurationsWithinQuota(tx, tenantId);
  await assertBytesWithinQuota(tx, revision);
  return true;
}

/** Throws 409 for a key in use. */
export async function createPreview(
  caller: Caller,
  key: string,
  content: Content,
  via: PreviewVia,
): Promise<Preview> {
  return transactionFor(caller, async (tx) => {
    const isNew = await addPreview(
      tx,
      actingAs(caller),
      { ...caller, via },
      { siteId: siteOf(caller), key, content },
    );
    if (!isNew)
      throw new ApiError(
        "preview.key-taken",
        `The site has a preview configuration "${key}" already.`,
        "/key",
      );
    return getPreview(caller, key, tx);
  });
}

const samples = {
  home: {
    title: "Home page",
    enabled: true,
    stage: "live",
    locales: ["en-GB", "de-DE"],
    viewports: [
      { name: "Phone", width: 390 },
      { name: "Tablet", width: 768 },
      { name: "Desktop", width: 1280 },
    ],
    hero: {
      headline: "Made for the north",
      text: "Wool, oilskin and oak, from workshops we know by name.",
      tone: "sea",
    },
    products: [
      { name: "Harbour coat", price: "189.00" },
      { name: "Skipper jumper", price: "119.00" },
      { name: "Oak stool", price: "84.00" },
    ],
  },
  "winter-campaign": {
    title: "Winter campaign",
    enabled: false,
    stage: "staged",
    locales: ["en-GB"],
    effectiveAt: "2026-12-01T08:00:00Z",
    viewports: [
      { name: "Phone", width: 390 },
      { name: "Desktop", width: 1280 },
    ],
    hero: {
      headline: "Long nights, warm rooms",
      text: "Blankets and lamps at a quarter off until the days grow.",
      tone: "night",
    },
    products: [
      { name: "Felt blanket", price: "74.00" },
      { name: "Storm lamp", price: "59.00" },
    ],
  },
};

/** Creates two working sample configurations at a site, replacing those with the same keys. */
export async function addSamplePreviews(
  tx: Transaction,
  acting: Acting,
  author: Omit<Author, "via">,
  { siteId, baseUrl = publicUrl() }: { siteId: string; baseUrl?: string },
): Promise<void> {
  const { tenantId, siteId: site, previewKey } = previewConfigurations;
  for (const [key, { title, ...sample }] of Object.entries(samples)) {
    const urlTemplate = `${baseUrl}/sample-storefront/index.html{?entityType,slug,locale}`;
    const configuration = { title, urlTemplate, ...sample };
    const content = contentOf(
      Buffer.from(`${JSON.stringify(configuration, null, 2)}\n`),
      configuration,
    );
    await tx
      .delete(previewConfigurations)
      .where(and(eq(tenantId, acting.tenantId), eq(site, siteId), eq(previewKey, key)));
    await addPreview(tx, acting, { ...author, via: "portal" }, { siteId, key, content });
  }
}
