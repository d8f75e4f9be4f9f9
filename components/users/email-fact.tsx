"use client";

import { useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { CallFailed } from "@/components/ui/error-notice";
import { useAction } from "@/components/ui/form/use-action";
import type { User } from "@/lib/features/users/contract";

/** A user's e-mail address, and the next step when it is not confirmed. */
export function EmailFact({ user, isOwn }: { user: User; isOwn: boolean }) {
  if (user.emailConfirmed !== false) return user.emailAddress;
  return (
    <>
      <span className="me-1">{user.emailAddress}</span>
      <Badge tone="warning">{t("Not confirmed")}</Badge>
      <span className="w-full text-body text-muted">
        {t("Notices and alerts are mailed only to a confirmed address.")}
      </span>
      {isOwn ? <AskForLink /> : null}
    </>
  );
}

function AskForLink() {
  const { call } = usePortal();
  const [isAsked, setIsAsked] = useState(false);
  const { busy, error, run } = useAction(async () => {
    await call("POST /v1/user/email-confirmations", {});
    setIsAsked(true);
  });
  if (isAsked)
    return (
      <output className="w-full text-body">
        {t(
          "A link is on its way to this address. No mail after a few minutes? Try again in 15 minutes.",
        )}
      </output>
    );
  return (
    <>
      {error ? <CallFailed title={t("Link not requested")} error={error} /> : null}
      <Button busy={busy} onClick={() => void run()}>
        {t("Mail me a link to confirm")}
      </Button>
    </>
  );
}
