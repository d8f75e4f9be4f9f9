import type { Metadata } from "next";
import { portalPage } from "@/app/(portal)/portal-page";
import { readDocument } from "@/app/(portal)/t/[tenant]/sites/[site]/previews/[key]/read-document";
import { mayWrite } from "@/app/(portal)/t/[tenant]/sites/[site]/previews/may-write";
import { HistoryView } from "@/components/previews/history-view";
import { documentKey } from "@/components/previews/keys";
import { Seed } from "@/components/shell/seed";
import { t } from "@/components/texts/t";

type Props = PageProps<"/t/[tenant]/sites/[site]/previews/[key]/history">;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: t("History of {key} · Previews", { key: (await params).key }) };
}

export default async function HistoryPage({ params }: Props) {
  const { tenant, site, key } = await params;
  const path = `/t/${tenant}/sites/${site}/previews/${key}/history`;
  return portalPage(
    { tenant, site, path, permission: "preview.configuration.read" },
    async (caller) => (
      <Seed queryKey={documentKey(tenant, site, key)} data={await readDocument(caller, site, key)}>
        <HistoryView site={site} mayWrite={mayWrite(caller)} previewKey={key} />
      </Seed>
    ),
  );
}
