"use client";

import { Fragment, type ReactNode, Suspense, useState } from "react";
import { type FoundMethods, ProviderButtons } from "@/components/connections/provider-buttons";
import { rich } from "@/components/texts/rich";
import { t } from "@/components/texts/t";
import { lazyPart } from "@/components/ui/lazy-part";
import { Link } from "@/components/ui/link";
import { call } from "@/lib/catalogue/client";
import type { PostedForm } from "@/lib/features/portal/values";
import { SignInForm } from "./sign-in-form";

const SetUpForm = lazyPart(() => import("./set-up-form").then((module) => module.SetUpForm), {
  isRare: true,
});
const NewRecoveryCodes = lazyPart(
  () => import("./new-recovery-codes").then((module) => module.NewRecoveryCodes),
  { isRare: true },
);
const ChangePassword = lazyPart(() =>
  import("./change-password").then((module) => module.ChangePassword),
);

interface SignInPanelProps {
  /** The tenant that the link names. */
  tenant: string | undefined;
  /** The page to open afterwards, by default the tenant's home. */
  next: string | undefined;
  isSignUpOpen: boolean;
  posted?: PostedForm | undefined;
  /** The sign-in methods of the tenant in the address. */
  methods?: FoundMethods | undefined;
  /** The provider that the address names. */
  connection?: string | undefined;
}

interface OneTime {
  tenant: string;
  login: string;
  /** Undefined when the form was sent without scripts. */
  password?: string;
}

/** The second step of a sign-in whose form was sent without scripts. */
function pendingOf(posted: PostedForm | undefined) {
  if (posted?.step !== "second-factor") return undefined;
  const { tenant = "", login = "", challenge = "" } = posted.values;
  return { tenant, login, challenge };
}

const forgotPath = (tenant: string | undefined) =>
  tenant ? `/forgot-password?tenant=${encodeURIComponent(tenant)}` : "/forgot-password";

/** The sign-in, followed by a new password after a one-time one. */
export function SignInPanel(props: SignInPanelProps) {
  const { tenant, next, isSignUpOpen, posted } = props;
  const { tenant: typedTenant, login = "" } = posted?.values ?? {};
  const [oneTime, setOneTime] = useState<OneTime | undefined>(
    posted?.step === "change-password" ? { tenant: typedTenant ?? "", login } : undefined,
  );
  // No Suspense in the response to a form sent without scripts: it must be complete.
  const Arriving = posted ? Fragment : Suspense;
  const leave = (to: string) => window.location.assign(next ?? `/t/${to}`);
  if (oneTime)
    return (
      <Arriving>
        <ChangePassword
          tenant={oneTime.tenant}
          login={oneTime.login}
          current={oneTime.password}
          problem={posted?.problem}
          onChanged={() => leave(oneTime.tenant)}
        />
      </Arriving>
    );
  const onSignedIn = async (who: OneTime) => {
    if (await mustChange(who.tenant)) setOneTime(who);
    else leave(who.tenant);
  };
  if (posted?.setUp) return <SetUpForm posted={posted} />;
  if (posted?.recoveryCodes) {
    const who = { tenant: typedTenant ?? "", login };
    return <NewRecoveryCodes codes={posted.recoveryCodes} onKept={() => onSignedIn(who)} />;
  }
  return (
    <>
      <h1 className="text-title">{t("Sign in")}</h1>
      <p className="mt-1 mb-6 text-control text-muted">{t("Use your tenant account.")}</p>
      <SignInForm
        methods={props.methods}
        above={(typed, connections) => (
          <ProviderButtons {...{ tenant: typed, connections, named: props.connection, next }} />
        )}
        tenant={typedTenant ?? tenant}
        login={login}
        problem={posted?.problem}
        pending={pendingOf(posted)}
        onSignedIn={onSignedIn}
      />
      <OtherWays tenant={tenant} isSignUpOpen={isSignUpOpen} />
    </>
  );
}

const OtherWays = ({ tenant, isSignUpOpen }: Pick<SignInPanelProps, "tenant" | "isSignUpOpen">) => (
  <>
    <p className="mt-6 text-center text-body text-muted">
      <QuietLink href={forgotPath(tenant)}>{t("Forgot password?")}</QuietLink>
    </p>
    <p className="mt-2 text-center text-body text-muted">
      {isSignUpOpen ? <SignUpLink /> : t("Sign-up is closed. Ask the operator for a tenant.")}
    </p>
  </>
);

const QuietLink = ({ href, children }: { href: string; children: ReactNode }) => (
  <Link
    href={href}
    className="rounded-control text-text underline decoration-border-strong underline-offset-4"
  >
    {children}
  </Link>
);

const SignUpLink = () => (
  <>
    {rich("No tenant yet? <quietLink>Create a sandbox</quietLink>", {
      quietLink: (inner) => <QuietLink href="/sign-up">{inner}</QuietLink>,
    })}
  </>
);

async function mustChange(tenant: string): Promise<boolean> {
  const session = await call("GET /v1/user/session", { tenant }).catch(() => undefined);
  return session?.passwordChangeRequired === true;
}
