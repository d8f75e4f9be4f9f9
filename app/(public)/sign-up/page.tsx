import type { Metadata } from "next";
import { PublicFrame } from "@/components/shell/public-frame";
import { SignUpClosed } from "@/components/sign-up/sign-up-closed";
import { SignUpForm } from "@/components/sign-up/sign-up-form";
import { isSignUpOpen } from "@/lib/access/sign-up-setting";

export const metadata: Metadata = { title: "Create a sandbox" };

export default function SignUpPage() {
  return <PublicFrame>{isSignUpOpen() ? <SignUpForm /> : <SignUpClosed />}</PublicFrame>;
}
