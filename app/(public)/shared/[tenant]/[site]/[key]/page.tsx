import { notFound } from "next/navigation";
import { titled } from "@/app/titled";
import { SharedPreview } from "@/components/shared-preview/shared-preview";
import { msg } from "@/components/texts/t";
import { isPreviewKey } from "@/lib/features/previews/values";
import { isSlug } from "@/lib/protocol/formats";
import { publicUrl } from "@/lib/protocol/settings";

export const generateMetadata = titled(msg("Shared preview"), {
  referrer: "no-referrer",
  robots: { index: false, follow: false },
});

export default async function SharedPreviewPage({
  params,
}: PageProps<"/shared/[tenant]/[site]/[key]">) {
  const { tenant, site, key } = await params;
  if (!isSlug(tenant) || !isSlug(site) || !isPreviewKey(key)) notFound();
  return (
    <main className="mx-auto w-full max-w-[1200px] min-h-dvh p-4 sm:p-6">
      <SharedPreview place={{ tenant, site, previewKey: key }} origin={publicUrl()} />
    </main>
  );
}
