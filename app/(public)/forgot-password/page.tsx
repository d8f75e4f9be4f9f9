import { titled } from "@/app/titled";
import { ForgotPassword } from "@/components/forgot-password/forgot-password";
import { PublicFrame } from "@/components/shell/public-frame";
import { msg } from "@/components/texts/t";
import { isMailOn } from "@/lib/access/authorization";
import { postedForm } from "@/lib/features/portal/portal";

export const generateMetadata = titled(msg("Forgot password"));

export default async function ForgotPasswordPage({ searchParams }: PageProps<"/forgot-password">) {
  const { tenant } = await searchParams;
  return (
    <PublicFrame>
      <ForgotPassword
        tenant={typeof tenant === "string" ? tenant : undefined}
        isMailOn={isMailOn()}
        posted={await postedForm()}
      />
    </PublicFrame>
  );
}
