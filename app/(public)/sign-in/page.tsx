import { titled } from "@/app/titled";
import { PublicFrame } from "@/components/shell/public-frame";
import { SignInPanel } from "@/components/sign-in/sign-in-panel";
import { msg } from "@/components/texts/t";
import { isSignUpOpen } from "@/lib/access/sign-up-setting";

export const generateMetadata = titled(msg("Sign in"));

/** Only paths of this portal are followed after signing in. */
function ownPath(next: string | string[] | undefined): string | undefined {
  return typeof next === "string" && /^\/(?:t|platform)\/[\w/?=&%.#~-]*$/.test(next)
    ? next
    : undefined;
}

export default async function SignInPage({ searchParams }: PageProps<"/sign-in">) {
  const { next, tenant } = await searchParams;
  const to = ownPath(next);
  const named = typeof tenant === "string" ? tenant : /^\/t\/([^/?#]+)/.exec(to ?? "")?.[1];
  return (
    <PublicFrame>
      <SignInPanel tenant={named} next={to} isSignUpOpen={isSignUpOpen()} />
    </PublicFrame>
  );
}
