import { titled } from "@/app/titled";
import { PublicFrame } from "@/components/shell/public-frame";
import { SignUpClosed } from "@/components/sign-up/sign-up-closed";
import { SignUpForm } from "@/components/sign-up/sign-up-form";
import { msg } from "@/components/texts/t";
import { isSignUpOpen } from "@/lib/access/authorization";
import { postedForm } from "@/lib/features/portal/portal";

export const generateMetadata = titled(msg("Create a sandbox"));

export default async function SignUpPage() {
  const posted = await postedForm();
  return (
    <PublicFrame>{isSignUpOpen() ? <SignUpForm posted={posted} /> : <SignUpClosed />}</PublicFrame>
  );
}
