import type { Metadata } from "next";
import { PublicFrame } from "@/components/shell/public-frame";
import { SignUpForm } from "@/components/sign-up/sign-up-form";

export const metadata: Metadata = { title: "Make a sandbox" };

export default function SignUpPage() {
  return (
    <PublicFrame>
      <SignUpForm />
    </PublicFrame>
  );
}
