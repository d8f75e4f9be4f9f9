import { sitePage } from "@/app/(portal)/site-page";
import { mayWrite } from "@/app/(portal)/t/[tenant]/sites/[site]/previews/may-write";
import { titled } from "@/app/titled";
import { listKey } from "@/components/previews/keys";
import { PreviewsView } from "@/components/previews/previews-view";
import { Seed } from "@/components/shell/seed";
import { msg } from "@/components/texts/t";
import { listPreviews } from "@/lib/features/previews/list";

export const generateMetadata = titled(msg("Previews"));

export default async function PreviewsPage({
  params,
}: PageProps<"/t/[tenant]/sites/[site]/previews">) {
  const { tenant, site } = await params;
  const permission = "preview.configuration.read";
  return sitePage({ tenant, site, area: "previews", permission }, async (caller) => {
    const { items } = await listPreviews(caller, { limit: 200, deleted: false });
    return (
      <Seed queryKey={listKey(tenant, site)} data={items}>
        <PreviewsView site={site} mayWrite={mayWrite(caller)} />
      </Seed>
    );
  });
}
