import type { Metadata } from "next";
import { portalPage } from "@/app/(portal)/portal-page";
import { t } from "@/components/texts/t";
import { editorFor } from "./preview-for";

type Props = PageProps<"/t/[tenant]/sites/[site]/previews/[key]">;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: t("{key} · Previews", { key: (await params).key }) };
}

export default async function PreviewPage({ params }: Props) {
  const { tenant, site, key } = await params;
  const path = `/t/${tenant}/sites/${site}/previews/${key}`;
  const needs = { tenant, site, path, permission: "preview.configuration.read" } as const;
  return portalPage(needs, (caller) => editorFor(caller, { site, key }));
}
