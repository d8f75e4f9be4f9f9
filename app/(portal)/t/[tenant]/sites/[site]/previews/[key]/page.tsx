import type { Metadata } from "next";
import { firstPage } from "@/app/(portal)/first-page";
import { portalPage } from "@/app/(portal)/portal-page";
import { mayWrite } from "@/app/(portal)/t/[tenant]/sites/[site]/previews/may-write";
import { commentsKey, documentKey } from "@/components/previews/keys";
import { PreviewEditor } from "@/components/previews/preview-editor";
import { Seeds } from "@/components/shell/seed";
import { t } from "@/components/texts/t";
import type { Caller } from "@/lib/access/caller";
import * as contract from "@/lib/features/previews/comments/contract";
import { listComments } from "@/lib/features/previews/comments/service";
import { readDocument } from "./read-document";

type Props = PageProps<"/t/[tenant]/sites/[site]/previews/[key]">;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: t("{key} · Previews", { key: (await params).key }) };
}

async function commentsOf(caller: Caller, key: string) {
  const list = (_: unknown, query: { limit: number }) => listComments(caller, key, query);
  const found = await firstPage(caller, contract.listPreviewComments, list, { limit: "200" });
  return found?.pages[0].items;
}

export default async function PreviewPage({ params }: Props) {
  const { tenant, site, key } = await params;
  const path = `/t/${tenant}/sites/${site}/previews/${key}`;
  const needs = { tenant, site, path, permission: "preview.configuration.read" } as const;
  return portalPage(needs, async (caller) => (
    <Seeds
      entries={[
        [documentKey(tenant, site, key), await readDocument(caller, site, key)],
        [commentsKey(tenant, site, key), await commentsOf(caller, key)],
      ]}
    >
      <PreviewEditor key={path} site={site} mayWrite={mayWrite(caller)} previewKey={key} />
    </Seeds>
  ));
}
