"use client";

import { rich } from "@/components/texts/rich";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { CallFailed } from "@/components/ui/call-failed";
import { Instant } from "@/components/ui/instant";
import { Notice } from "@/components/ui/notice";
import { notify } from "@/components/ui/toast";
import { type CareProps, useCustomerActions } from "./customer-actions";
import { managesEverySite, otherSitesNoticeId } from "./other-sites-notice";

/** Why and since when the customer is locked, and the way out. */
export function LockNotice({ customer, site }: CareProps) {
  const { unlock } = useCustomerActions(site, customer.id);
  if (!customer.lock) return null;
  return (
    <Notice tone="warning">
      <div className="flex flex-wrap items-center gap-3">
        <p className="min-w-0 flex-1 basis-64">
          {rich("Locked {when}: {reason}. {end}", {
            when: customer.lockedAt ? <Instant at={customer.lockedAt} /> : null,
            reason: customer.lockReason,
            end: customer.lockedUntil
              ? rich("Ends {when}.", { when: <Instant at={customer.lockedUntil} form="full" /> })
              : t("Lasts until someone unlocks the customer."),
          })}
        </p>
        <Button
          busy={unlock.isPending}
          disabled={!managesEverySite(customer)}
          aria-describedby={managesEverySite(customer) ? undefined : otherSitesNoticeId}
          onClick={() =>
            unlock.mutate(undefined, { onSuccess: () => void notify(t("Customer unlocked")) })
          }
        >
          {t("Unlock customer")}
        </Button>
      </div>
      {unlock.error ? (
        <CallFailed title={t("The customer was not unlocked")} error={unlock.error} />
      ) : null}
    </Notice>
  );
}
