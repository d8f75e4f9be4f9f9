import { titled } from "@/app/titled";
import { Outcome } from "@/components/connections/outcome";
import { PublicFrame } from "@/components/shell/public-frame";
import { msg } from "@/components/texts/t";
import { signInOutcome } from "@/lib/features/portal/portal";

export const generateMetadata = titled(msg("Sign in"));

export default async function OutcomePage() {
  return (
    <PublicFrame>
      <Outcome outcome={await signInOutcome()} />
    </PublicFrame>
  );
}
