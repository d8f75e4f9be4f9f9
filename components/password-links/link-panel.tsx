"use client";

import type { ReactNode } from "react";
import { ProviderButtons, useSignInMethods } from "@/components/connections/provider-buttons";
import { signIn } from "@/components/sign-in/sign-in-call";
import { t } from "@/components/texts/t";
import { ErrorNotice } from "@/components/ui/error-notice";
import { leaveTo } from "@/components/ui/form/use-action";
import { Link } from "@/components/ui/link";
import { call } from "@/lib/catalogue/client";
import type { PostedForm } from "@/lib/features/portal/values";
import { useLinkToken } from "./link-token";
import { PasswordForm } from "./password-form";

const signInPage = (tenant: string) => `/sign-in?tenant=${encodeURIComponent(tenant)}`;

interface LinkPanelProps {
  tenant: string;
  posted: PostedForm | undefined;
}

interface PanelProps {
  title: string;
  lead: string;
  /** On the button. */
  confirm: string;
  posted: PostedForm | undefined;
  onPassword: (token: string) => (password: string) => Promise<void>;
  /** Other ways to redeem the token. */
  above?: (token: string) => ReactNode;
  children?: ReactNode;
}

function Panel({ title, lead, confirm, posted, onPassword, above, children }: PanelProps) {
  const token = useLinkToken();
  return (
    <>
      <h1 className="text-title">{title}</h1>
      <p className="mt-1 mb-6 text-control text-muted">{lead}</p>
      {token === "" ? (
        <ErrorNotice
          title={t("This link is incomplete")}
          detail={t(
            "Open the complete link from your invitation or message, or ask an administrator for a new one.",
          )}
        />
      ) : null}
      {token ? above?.(token) : null}
      {token ? <PasswordForm confirm={confirm} onPassword={onPassword(token)} /> : null}
      <noscript>
        <PasswordForm confirm={confirm} posted={posted} />
      </noscript>
      {token === "" ? null : children}
    </>
  );
}

/** The providers of the tenant: an account there accepts the invitation without a password. */
function Providers({ tenant, token }: { tenant: string; token: string }) {
  const methods = useSignInMethods(tenant, undefined);
  return <ProviderButtons tenant={tenant} connections={methods?.connections} invitation={token} />;
}

/** Takes an invitation with a first password, or at a provider, and signs in. */
export function InvitationPanel({ tenant, posted }: LinkPanelProps) {
  const accept = (token: string) => async (password: string) => {
    const { login } = await call("POST /v1/user/invitations/accept", {
      tenant,
      body: { token, password },
    });
    const rejected = await signIn({ tenant, login, password });
    await leaveTo(rejected ? signInPage(tenant) : `/t/${tenant}`);
  };
  return (
    <Panel
      title={t("Accept your invitation")}
      lead={t("Choose a password to sign in to tenant {tenant}.", { tenant })}
      confirm={t("Accept invitation")}
      posted={posted}
      onPassword={accept}
      above={(token) => <Providers tenant={tenant} token={token} />}
    />
  );
}

/** Sets a new password by an administrator's link. */
export function ResetPanel({ tenant, posted }: LinkPanelProps) {
  const confirm = (token: string) => async (password: string) => {
    await call("POST /v1/user/password-resets/confirm", { tenant, body: { token, password } });
    await leaveTo(signInPage(tenant));
  };
  return (
    <Panel
      title={t("Set a new password")}
      lead={t("This ends all your sessions. Sign in with the new password afterwards.")}
      confirm={t("Set password")}
      posted={posted}
      onPassword={confirm}
    >
      <p className="mt-4 text-body text-muted">
        <Link
          href={signInPage(tenant)}
          className="underline decoration-border-strong underline-offset-4"
        >
          {t("Sign in instead")}
        </Link>
      </p>
    </Panel>
  );
}
