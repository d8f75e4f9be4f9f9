"use client";

import { type FormEvent, useRef, useState } from "react";
import { QrCode } from "@/components/second-factors/qr-code";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { ErrorNotice } from "@/components/ui/error-notice";
import type { PostedForm } from "@/lib/features/portal/values";
import { AppCodeField } from "./code-field";
import { PasskeyButton } from "./passkey-button";

/**
 * Sets up the second factor that the tenant requires for a sign-in. The browser submits the form
 * natively even with scripts: the response page shows the recovery codes.
 */
export function SetUpForm({ posted }: { posted: PostedForm }) {
  const { values, setUp, problem } = posted;
  const form = useRef<HTMLFormElement>(null);
  const made = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState(false);
  if (!setUp) return null;
  const addPasskey = async () => {
    const { startRegistration } = await import("./passkey-browser");
    const passkey = await startRegistration({ optionsJSON: setUp.passkey }).catch(() => undefined);
    setRefused(!passkey);
    if (!passkey || !made.current) return;
    made.current.value = JSON.stringify(passkey);
    form.current?.submit();
  };
  const submit = (event: FormEvent) => (busy ? event.preventDefault() : setBusy(true));
  return (
    <>
      <h1 className="text-title">{t("Set up a second factor")}</h1>
      <p className="mt-1 mb-6 text-control text-muted">
        {t("Your tenant requires one. Your password is right; this is the last step.")}
      </p>
      <form ref={form} method="post" onSubmit={submit} className="flex flex-col gap-4">
        {problem || refused ? <Refused isPasskey={refused} /> : null}
        <input type="hidden" name="step" value="set-up" />
        <input type="hidden" name="setUp" value={JSON.stringify(setUp)} />
        <input type="hidden" name="passkey" ref={made} defaultValue="" />
        {Object.entries(values).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <Secret {...setUp.totp} />
        <AppCodeField />
        <Button type="submit" tone="primary" busy={busy} className="h-9 w-full">
          {t("Set up and sign in")}
        </Button>
        <PasskeyButton onClick={addPasskey}>{t("Set up a passkey instead")}</PasskeyButton>
      </form>
    </>
  );
}

const Secret = ({ uri, secret }: { uri: string; secret: string }) => (
  <>
    <p className="text-control">{t("Scan this with an authenticator app on your phone.")}</p>
    <QrCode text={uri} label={t("QR code of the secret")} />
    <div>
      <p className="text-body font-medium">{t("Or type this secret into the app")}</p>
      <p className="font-mono text-body wrap-anywhere">{secret}</p>
    </div>
  </>
);

const Refused = ({ isPasskey }: { isPasskey: boolean }) => (
  <ErrorNotice
    title={t("The second factor was not set up")}
    detail={
      isPasskey
        ? t("No passkey was made. Try again, or use an authenticator app.")
        : t("The code is not right. Check that the clock of the device is right.")
    }
  />
);
