import type { Metadata } from "next";
import { portalPage } from "@/app/(portal)/portal-page";
import { historyFor } from "@/app/(portal)/t/[tenant]/sites/[site]/previews/[key]/preview-for";
import { t } from "@/components/texts/t";

type Props = PageProps<"/t/[tenant]/sites/[site]/previews/[key]/history">;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: t("History of {key} · Previews", { key: (await params).key }) };
}

export default async function HistoryPage({ params }: Props) {
  const { tenant, site, key } = await params;
  const path = `/t/${tenant}/sites/${site}/previews/${key}/history`;
  const needs = { tenant, site, path, permission: "preview.configuration.read" } as const;
  return portalPage(needs, (caller) => historyFor(caller, { site, key }));
}
