"use client";

import { rich } from "@/components/texts/rich";
import { t } from "@/components/texts/t";
import { CopyButton } from "@/components/ui/copy-button";
import { Instant } from "@/components/ui/instant";

interface OneTimeLinkProps {
  url: string;
  expiresAt: string;
}

/** A link that is shown once, to be sent over a channel that the administrator trusts. */
export function OneTimeLink({ url, expiresAt }: OneTimeLinkProps) {
  return (
    <div className="flex flex-col gap-3">
      <pre className="whitespace-pre-wrap break-all rounded-control border border-border-strong bg-surface px-3 py-2.5 text-meta">
        <code>{url}</code>
      </pre>
      <div>
        <CopyButton
          text={url}
          label={t("Copy link")}
          words={t("Copy link")}
          tone="primary"
          isFirst
        />
      </div>
      <p className="text-body text-muted">
        {rich(
          "Works once, until {when}. It is shown only now; creating a new link invalidates it.",
          { when: <Instant at={expiresAt} form="full" /> },
        )}
      </p>
    </div>
  );
}
