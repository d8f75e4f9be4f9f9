import { notFound } from "next/navigation";
import { titled } from "@/app/titled";
import { ConfirmEmail } from "@/components/email-confirmation/confirm-email";
import { PublicFrame } from "@/components/shell/public-frame";
import { msg } from "@/components/texts/t";
import { postedForm } from "@/lib/features/portal/portal";
import { isSlug } from "@/lib/protocol/formats";

export const generateMetadata = titled(msg("Confirm your e-mail address"));

export default async function ConfirmEmailPage({ params }: PageProps<"/confirm-email/[tenant]">) {
  const { tenant } = await params;
  if (!isSlug(tenant)) notFound();
  return (
    <PublicFrame>
      <ConfirmEmail tenant={tenant} posted={await postedForm()} />
    </PublicFrame>
  );
}
