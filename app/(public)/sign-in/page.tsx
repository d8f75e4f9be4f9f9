import { titled } from "@/app/titled";
import { PublicFrame } from "@/components/shell/public-frame";
import { SignInPanel } from "@/components/sign-in/sign-in-panel";
import { msg } from "@/components/texts/t";
import { isSignUpOpen } from "@/lib/access/authorization";
import { signInMethodsOf } from "@/lib/features/connections/identities";
import { postedForm } from "@/lib/features/portal/portal";
import { ownPath } from "@/lib/features/portal/values";

export const generateMetadata = titled(msg("Sign in"));

export default async function SignInPage({ searchParams }: PageProps<"/sign-in">) {
  const { next, tenant, connection } = await searchParams;
  const to = ownPath(typeof next === "string" ? next : undefined);
  const named = typeof tenant === "string" ? tenant : /^\/t\/([^/?#]+)/.exec(to ?? "")?.[1];
  return (
    <PublicFrame>
      <SignInPanel
        tenant={named}
        next={to}
        isSignUpOpen={isSignUpOpen()}
        posted={await postedForm()}
        methods={await signInMethodsOf(named)}
        connection={typeof connection === "string" ? connection : undefined}
      />
    </PublicFrame>
  );
}
