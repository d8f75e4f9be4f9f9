import { notFound } from "next/navigation";
import { titled } from "@/app/titled";
import { ResetPanel } from "@/components/password-links/link-panel";
import { PublicFrame } from "@/components/shell/public-frame";
import { msg } from "@/components/texts/t";
import { postedForm } from "@/lib/features/portal/portal";
import { isSlug } from "@/lib/protocol/formats";

export const generateMetadata = titled(msg("Set a new password"));

export default async function ResetPasswordPage({ params }: PageProps<"/reset-password/[tenant]">) {
  const { tenant } = await params;
  if (!isSlug(tenant)) notFound();
  return (
    <PublicFrame>
      <ResetPanel tenant={tenant} posted={await postedForm()} />
    </PublicFrame>
  );
}
