import { notFound } from "next/navigation";
import { titled } from "@/app/titled";
import { InvitationPanel } from "@/components/password-links/link-panel";
import { PublicFrame } from "@/components/shell/public-frame";
import { msg } from "@/components/texts/t";
import { postedForm } from "@/lib/features/portal/portal";
import { isSlug } from "@/lib/protocol/formats";

export const generateMetadata = titled(msg("Accept invitation"));

export default async function InvitePage({ params }: PageProps<"/invite/[tenant]">) {
  const { tenant } = await params;
  if (!isSlug(tenant)) notFound();
  return (
    <PublicFrame>
      <InvitationPanel tenant={tenant} posted={await postedForm()} />
    </PublicFrame>
  );
}
