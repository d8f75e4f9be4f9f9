"use client";

import { useState } from "react";
import { LoginFields } from "@/components/sign-in/login-fields";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { CallFailed } from "@/components/ui/error-notice";
import { textOf, useAction } from "@/components/ui/form/use-action";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { call } from "@/lib/catalogue/client";
import type { PostedForm } from "@/lib/features/portal/values";

interface ForgotPasswordProps {
  /** The tenant that the link names. */
  tenant: string | undefined;
  isMailOn: boolean;
  posted: PostedForm | undefined;
}

/** Requests a link by mail, or says who can create one when the installation sends no mail. */
export function ForgotPassword({ tenant, isMailOn, posted }: ForgotPasswordProps) {
  const to = tenant ? `/sign-in?tenant=${encodeURIComponent(tenant)}` : "/sign-in";
  return (
    <>
      <h1 className="text-title">{t("Forgot password")}</h1>
      {isMailOn ? <Request tenant={tenant} posted={posted} /> : <AskAdministrator />}
      <p className="mt-6 text-center text-body text-muted">
        <Link
          href={to}
          className="rounded-control text-text underline decoration-border-strong underline-offset-4"
        >
          {t("Back to sign-in")}
        </Link>
      </p>
    </>
  );
}

const lead = "mt-1 mb-6 text-control text-muted";

const AskAdministrator = () => (
  <p className={lead}>
    {t(
      "This installation sends no mail. Ask an administrator of your tenant for a link to reset your password.",
    )}
  </p>
);

function Request({ tenant, posted }: Pick<ForgotPasswordProps, "tenant" | "posted">) {
  const typed = posted?.values ?? {};
  const [requested, setRequested] = useState(posted?.step ? typed.login : undefined);
  const { busy, errors, error, form } = useAction(
    async (values) => {
      const login = textOf(values, "login");
      const where = textOf(values, "tenant").toLowerCase();
      await call("POST /v1/user/password-resets", { tenant: where, body: { login } });
      setRequested(login);
    },
    ["/login"],
    undefined,
    posted?.problem,
  );
  if (requested !== undefined) return <Requested login={requested} />;
  return (
    <>
      <p className={lead}>{t("We mail you a link to set a new password.")}</p>
      <form method="post" {...form} className="flex flex-col gap-4">
        {error ? <CallFailed error={error} title={t("Link not requested")} /> : null}
        <LoginFields tenant={typed.tenant ?? tenant} login={typed.login} error={errors["/login"]} />
        <Button type="submit" tone="primary" busy={busy} className="mt-1 h-9 w-full">
          {t("Send link")}
        </Button>
      </form>
    </>
  );
}

/** The same message for a login that does not exist. */
const Requested = ({ login }: { login: string }) => (
  <output className="mt-6 block">
    <Notice tone="success">
      {t(
        "Check your mail. If {login} can sign in here, a link is on its way. It works once, for an hour. No mail after a few minutes? Try again in 15 minutes, or ask an administrator of your tenant.",
        { login },
      )}
    </Notice>
  </output>
);
