"use client";

import { CopyButton } from "@/components/ui/copy-button";
import { Instant } from "@/components/ui/instant";

interface OneTimeLinkProps {
  url: string;
  expiresAt: string;
}

/** A link that is shown once, to be sent by whatever way the administrator trusts. */
export function OneTimeLink({ url, expiresAt }: OneTimeLinkProps) {
  return (
    <div className="flex flex-col gap-3">
      <pre className="whitespace-pre-wrap break-all rounded-control border border-border-strong bg-surface px-3 py-2.5 text-meta">
        <code>{url}</code>
      </pre>
      <div>
        <CopyButton text={url} label="Copy link" words="Copy link" tone="primary" />
      </div>
      <p className="text-body text-muted">
        Works once, until <Instant at={expiresAt} form="full" />. It is shown only now; creating a
        new link invalidates it.
      </p>
    </div>
  );
}
