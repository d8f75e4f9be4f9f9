import type { Metadata } from "next";
import { ForgotPassword } from "@/components/forgot-password/forgot-password";
import { PublicFrame } from "@/components/shell/public-frame";
import { isMailOn } from "@/lib/access/mail-setting";

export const metadata: Metadata = { title: "Forgot password" };

export default async function ForgotPasswordPage({ searchParams }: PageProps<"/forgot-password">) {
  const { tenant } = await searchParams;
  return (
    <PublicFrame>
      <ForgotPassword
        tenant={typeof tenant === "string" ? tenant : undefined}
        isMailOn={isMailOn()}
      />
    </PublicFrame>
  );
}
