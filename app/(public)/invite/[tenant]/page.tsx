import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { InvitationPanel } from "@/components/password-links/link-panel";
import { PublicFrame } from "@/components/shell/public-frame";
import { isSlug } from "@/lib/protocol/formats";

export const metadata: Metadata = { title: "Accept invitation" };

export default async function InvitePage({ params }: PageProps<"/invite/[tenant]">) {
  const { tenant } = await params;
  if (!isSlug(tenant)) notFound();
  return (
    <PublicFrame>
      <InvitationPanel tenant={tenant} />
    </PublicFrame>
  );
}
