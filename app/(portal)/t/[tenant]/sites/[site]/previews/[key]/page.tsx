import type { Metadata } from "next";
import { portalPage } from "@/app/(portal)/portal-page";
import { mayWrite } from "@/app/(portal)/t/[tenant]/sites/[site]/previews/may-write";
import { documentKey } from "@/components/previews/keys";
import { PreviewEditor } from "@/components/previews/preview-editor";
import { Seed } from "@/components/shell/seed";
import { t } from "@/components/texts/t";
import { readDocument } from "./read-document";

type Props = PageProps<"/t/[tenant]/sites/[site]/previews/[key]">;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: t("{key} · Previews", { key: (await params).key }) };
}

export default async function PreviewPage({ params }: Props) {
  const { tenant, site, key } = await params;
  const path = `/t/${tenant}/sites/${site}/previews/${key}`;
  return portalPage(
    { tenant, site, path, permission: "preview.configuration.read" },
    async (caller) => (
      <Seed queryKey={documentKey(tenant, site, key)} data={await readDocument(caller, site, key)}>
        <PreviewEditor key={path} site={site} mayWrite={mayWrite(caller)} previewKey={key} />
      </Seed>
    ),
  );
}
