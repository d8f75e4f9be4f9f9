import type { Metadata } from "next";
import { firstPage } from "@/app/(portal)/first-page";
import { portalPage } from "@/app/(portal)/portal-page";
import { readDocument } from "@/app/(portal)/t/[tenant]/sites/[site]/previews/[key]/read-document";
import { mayWrite } from "@/app/(portal)/t/[tenant]/sites/[site]/previews/may-write";
import { HistoryView } from "@/components/previews/history-view";
import { documentKey, revisionsKey } from "@/components/previews/keys";
import { Seeds } from "@/components/shell/seed";
import { t } from "@/components/texts/t";
import type { Caller } from "@/lib/access/caller";
import * as contract from "@/lib/features/previews/contract";
import { listRevisions } from "@/lib/features/previews/list";

type Props = PageProps<"/t/[tenant]/sites/[site]/previews/[key]/history">;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: t("History of {key} · Previews", { key: (await params).key }) };
}

async function revisionsOf(caller: Caller, key: string) {
  const list = (_: unknown, query: { limit: number }) => listRevisions(caller, key, query);
  const found = await firstPage(caller, contract.listPreviewRevisions, list, { limit: "50" });
  const pages = found?.pages.map(({ items, next }) => ({ revisions: items, next: next ?? "" }));
  return pages && { pages, pageParams: found?.pageParams };
}

export default async function HistoryPage({ params }: Props) {
  const { tenant, site, key } = await params;
  const path = `/t/${tenant}/sites/${site}/previews/${key}/history`;
  const needs = { tenant, site, path, permission: "preview.configuration.read" } as const;
  return portalPage(needs, async (caller) => (
    <Seeds
      entries={[
        [documentKey(tenant, site, key), await readDocument(caller, site, key)],
        [revisionsKey(tenant, site, key), await revisionsOf(caller, key)],
      ]}
    >
      <HistoryView site={site} mayWrite={mayWrite(caller)} previewKey={key} />
    </Seeds>
  ));
}
