"use client";

import { useState } from "react";
import { useLinkToken } from "@/components/password-links/link-token";
import { PastedLink } from "@/components/password-links/password-form";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { CallFailed, ErrorNotice } from "@/components/ui/error-notice";
import { useAction } from "@/components/ui/form/use-action";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { call } from "@/lib/catalogue/client";
import type { PostedForm } from "@/lib/features/portal/values";

interface ConfirmEmailProps {
  tenant: string;
  posted: PostedForm | undefined;
}

/** Confirms the mailed address on a click of its reader: programs that open links in mails do not confirm it. */
export function ConfirmEmail({ tenant, posted }: ConfirmEmailProps) {
  const token = useLinkToken();
  const [isConfirmed, setIsConfirmed] = useState(posted?.step === "confirmed");
  if (isConfirmed) return <Confirmed tenant={tenant} />;
  return (
    <>
      <h1 className="text-title">{t("Confirm your e-mail address")}</h1>
      <p className="mt-1 mb-6 text-control text-muted">
        {t("Notices of your account in tenant {tenant} and alerts are then mailed to it.", {
          tenant,
        })}
      </p>
      {token === "" ? (
        <ErrorNotice
          title={t("This link is incomplete")}
          detail={t("Open the complete link from the mail, or ask for a new one on your account.")}
        />
      ) : null}
      {token ? (
        <ConfirmForm tenant={tenant} token={token} onDone={() => setIsConfirmed(true)} />
      ) : null}
      <noscript>
        <PastedForm posted={posted} />
      </noscript>
    </>
  );
}

interface ConfirmFormProps {
  tenant: string;
  token: string;
  onDone: () => void;
}

function ConfirmForm({ tenant, token, onDone }: ConfirmFormProps) {
  const { busy, error, submit } = useAction(async () => {
    await call("POST /v1/user/email-confirmations/confirm", { tenant, body: { token } });
    onDone();
  });
  return (
    <form method="post" onSubmit={submit} className="flex flex-col gap-4">
      {error ? <CallFailed title={t("The address was not confirmed")} error={error} /> : null}
      <Button type="submit" tone="primary" busy={busy} className="h-9 w-full">
        {t("Confirm address")}
      </Button>
    </form>
  );
}

/** Without scripts the user pastes the link: a browser never sends its fragment. */
function PastedForm({ posted }: Pick<ConfirmEmailProps, "posted">) {
  const { errors, error } = useAction(
    async () => undefined,
    ["/token"],
    undefined,
    posted?.problem,
  );
  return (
    <form method="post" className="flex flex-col gap-4">
      {error ? <CallFailed title={t("The address was not confirmed")} error={error} /> : null}
      <PastedLink link={posted?.values.link} error={errors["/token"]} />
      <Button type="submit" tone="primary" className="h-9 w-full">
        {t("Confirm address")}
      </Button>
    </form>
  );
}

const Confirmed = ({ tenant }: { tenant: string }) => (
  <>
    <h1 className="text-title">{t("Your e-mail address is confirmed")}</h1>
    <output className="mt-6 block">
      <Notice tone="success">
        {t("Notices of your account and alerts are mailed to it from now on.")}
      </Notice>
    </output>
    <p className="mt-6 text-center text-body text-muted">
      <Link
        href={`/t/${tenant}/me`}
        className="rounded-control text-text underline decoration-border-strong underline-offset-4"
      >
        {t("To your account")}
      </Link>
    </p>
  </>
);
