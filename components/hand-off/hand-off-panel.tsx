"use client";

import { useEffect, useState } from "react";
import { PastedLink } from "@/components/password-links/password-form";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { CallFailed, ErrorNotice } from "@/components/ui/error-notice";
import { forgetFragment } from "@/components/ui/forget-fragment";
import { useAction } from "@/components/ui/form/use-action";
import { call } from "@/lib/catalogue/client";
import type { PostedForm } from "@/lib/features/portal/values";
import { type HandOffLink, openedWith, readHandOffLink } from "./link";
import { type Opened, OpenedSecret } from "./opened-secret";

/** Reads the link and removes its fragment from the address. */
function takeLink(): HandOffLink | undefined {
  const { hash } = window.location;
  if (hash) forgetFragment();
  return readHandOffLink(hash);
}

/** The link that opened the page; undefined until hydration. Also follows a link pasted into the address later. */
function useHandOffLink(): HandOffLink | "incomplete" | undefined {
  const [link, setLink] = useState<HandOffLink | "incomplete">();
  useEffect(() => {
    const take = () => {
      const taken = takeLink();
      setLink((known) => taken ?? known ?? "incomplete");
    };
    take();
    window.addEventListener("hashchange", take);
    return () => window.removeEventListener("hashchange", take);
  }, []);
  return link;
}

interface HandOffPanelProps {
  tenant: string;
  /** The result of the form and the opened secret, when the browser sent the form without scripts. */
  posted: PostedForm | undefined;
  opened: Opened | undefined;
}

/** The page of a hand-off link: shows the secret of a key, once, on a click of the reader. */
export function HandOffPanel({ tenant, posted, opened }: HandOffPanelProps) {
  const link = useHandOffLink();
  return (
    <>
      <h1 className="text-title">{t("Secret of an API key")}</h1>
      <p className="mt-1 mb-6 text-control text-muted">
        {t(
          "Someone hands you the secret of an API key of tenant {tenant}. It is shown once, so have a safe place for it ready.",
          { tenant },
        )}
      </p>
      {opened ? <OpenedSecret {...opened} /> : null}
      <noscript>{opened ? null : <PastedForm posted={posted} />}</noscript>
      {link === "incomplete" && !opened ? (
        <ErrorNotice
          title={t("This link is incomplete")}
          detail={t("Open the complete link that you were sent, or ask for a new one.")}
        />
      ) : null}
      {typeof link === "object" ? <OpenForm key={link.token} tenant={tenant} link={link} /> : null}
    </>
  );
}

/** Asks before opening: programs that preview links must not use it up. */
function OpenForm({ tenant, link: { token, key } }: { tenant: string; link: HandOffLink }) {
  const [opened, setOpened] = useState<Opened>();
  const { busy, error, submit } = useAction(async () => {
    const answer = await call("POST /v1/user/api-keys/hand-offs/open", { tenant, body: { token } });
    setOpened(await openedWith(key, answer));
  });
  if (opened) return <OpenedSecret {...opened} />;
  if (error?.code === "api-key.hand-off-not-found") return <NothingToOpen />;
  return (
    <form method="post" onSubmit={submit} className="flex flex-col gap-4">
      {error ? <CallFailed title={t("The secret could not be read")} error={error} /> : null}
      <Button type="submit" tone="primary" busy={busy} className="h-9 w-full">
        {t("Show secret")}
      </Button>
    </form>
  );
}

/** Without scripts the user pastes the link, and the page says that the server decrypts the secret. */
function PastedForm({ posted }: Pick<HandOffPanelProps, "posted">) {
  const { errors, error } = useAction(async () => undefined, ["/link"], undefined, posted?.problem);
  if (error?.code === "api-key.hand-off-not-found") return <NothingToOpen />;
  return (
    <form method="post" className="flex flex-col gap-4">
      {error ? <CallFailed title={t("The secret could not be read")} error={error} /> : null}
      <PastedLink link={posted?.values.link} error={errors["/link"]} />
      <p className="text-body text-muted">
        {t(
          "Without scripts the service decrypts the secret for you, in memory. With scripts only your browser can read it.",
        )}
      </p>
      <Button type="submit" tone="primary" className="h-9 w-full">
        {t("Show secret")}
      </Button>
    </form>
  );
}

function NothingToOpen() {
  return (
    <ErrorNotice
      title={t("This link no longer works")}
      detail={t(
        "It was already opened, has expired or was withdrawn. Ask who sent it for a new one, and have the key rotated if you did not open it yourself.",
      )}
    />
  );
}
