import { notFound } from "next/navigation";
import { titled } from "@/app/titled";
import { HandOffPanel } from "@/components/hand-off/hand-off-panel";
import { openedByForm } from "@/components/hand-off/link";
import { PublicFrame } from "@/components/shell/public-frame";
import { msg } from "@/components/texts/t";
import { postedForm } from "@/lib/features/portal/portal";
import { isSlug } from "@/lib/protocol/formats";

export const generateMetadata = titled(msg("Secret of an API key"), {
  referrer: "no-referrer",
  robots: { index: false, follow: false },
});

export default async function HandOffPage({ params }: PageProps<"/hand-off/[tenant]">) {
  const { tenant } = await params;
  if (!isSlug(tenant)) notFound();
  const posted = await postedForm();
  return (
    <PublicFrame>
      <HandOffPanel tenant={tenant} posted={posted} opened={await openedByForm(posted)} />
    </PublicFrame>
  );
}
