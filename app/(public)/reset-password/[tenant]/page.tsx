import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { ResetPanel } from "@/components/password-links/link-panel";
import { PublicFrame } from "@/components/shell/public-frame";
import { isSlug } from "@/lib/protocol/formats";

export const metadata: Metadata = { title: "Set a new password" };

export default async function ResetPasswordPage({ params }: PageProps<"/reset-password/[tenant]">) {
  const { tenant } = await params;
  if (!isSlug(tenant)) notFound();
  return (
    <PublicFrame>
      <ResetPanel tenant={tenant} />
    </PublicFrame>
  );
}
