import { and, eq } from "drizzle-orm";
import type { Transaction } from "@/lib/database/open";
import { previewConfigurations } from "@/lib/database/schema/schema";
import type { Acting } from "@/lib/features/audit/service";
import { publicUrl } from "@/lib/protocol/settings";
import { contentOf } from "./content";
import { addPreview } from "./create";
import type { Author } from "./revision";

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

/** Gives a site two configurations that show something at once, in place of those it may have under these keys. */
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
