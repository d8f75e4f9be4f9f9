"use client";

import { useState } from "react";
import { useLeaveGuard } from "@/components/api-keys/leave-guard";
import { rich } from "@/components/texts/rich";
import { t } from "@/components/texts/t";
import { CopyButton } from "@/components/ui/copy-button";
import { ErrorNotice } from "@/components/ui/error-notice";
import { Instant } from "@/components/ui/instant";
import { Notice } from "@/components/ui/notice";

export interface Opened {
  /** Undefined when the key in the link does not decrypt it, or the decrypted text is not an API key. */
  secret: string | undefined;
  /** The name of the API key. */
  name: string;
  validTo: string;
}

/** The secret, which is shown only once. Leaving the page requires a confirmation until it is copied. */
export function OpenedSecret({ secret, name, validTo }: Opened) {
  const [isCopied, setIsCopied] = useState(false);
  useLeaveGuard(secret !== undefined && !isCopied, stay);
  if (secret === undefined)
    return (
      <ErrorNotice
        title={t("The secret could not be read")}
        detail={t(
          "The link was changed on its way to you, or holds no API key. It cannot be opened again: ask for a new one.",
        )}
      />
    );
  return (
    <section aria-label={t("Secret")} className="flex flex-col gap-4">
      <p className="text-body">
        {rich('Key "{name}" works until {when}.', {
          name,
          when: <Instant at={validTo} form="full" />,
        })}
      </p>
      <pre className="whitespace-pre-wrap break-all rounded-control border border-border-strong bg-surface px-3 py-2.5 text-body">
        <code>{secret}</code>
      </pre>
      <div>
        <CopyButton
          text={secret}
          label={t("Copy secret")}
          words={t("Copy")}
          tone="primary"
          onCopied={() => setIsCopied(true)}
        />
      </div>
      <div role="status">
        <Notice tone="warning">
          {t("The link is used up and the secret was deleted here. Store it before you leave.")}
        </Notice>
      </div>
    </section>
  );
}

/** Going back stays on the page, which shows the reason. */
const stay = () => undefined;
