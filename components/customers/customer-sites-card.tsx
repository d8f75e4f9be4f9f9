"use client";

import { useRouter } from "next/navigation";
import { Suspense, useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { CallFailed } from "@/components/ui/error-notice";
import { Select } from "@/components/ui/form/field";
import { lazyPart } from "@/components/ui/lazy-part";
import { type CareProps, useCustomerActions } from "./customer-actions";

const ActionDialog = lazyPart(() =>
  import("@/components/ui/form/action-dialog").then((module) => module.ActionDialog),
);

/** The sites where the customer may sign in with the same login and profile. */
export function CustomerSitesCard({ customer, site }: CareProps) {
  const { view } = usePortal();
  const [leaving, setLeaving] = useState<string>();
  return (
    <Card
      id="sites"
      title={t("Sites")}
      description={t("Where the customer can sign in, with the same login and profile.")}
    >
      <ul className="flex flex-col gap-2">
        {customer.siteIds.map((one) => (
          <li key={one} className="flex min-h-8 items-center gap-4">
            <span className="min-w-0 flex-1 truncate text-body font-medium">{one}</span>
            {customer.siteIds.length > 1 && view.sites.includes(one) ? (
              <Button aria-label={t("Remove from {one}", { one })} onClick={() => setLeaving(one)}>
                {t("Remove")}
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
      <AddToSite customer={customer} site={site} />
      <Suspense>
        {leaving ? (
          <RemoveDialog
            customer={customer}
            site={site}
            from={leaving}
            onClose={() => setLeaving(undefined)}
          />
        ) : null}
      </Suspense>
    </Card>
  );
}

function AddToSite({ customer, site }: CareProps) {
  const { view } = usePortal();
  const { addToSite } = useCustomerActions(site, customer.id);
  const others = view.sites.filter((one) => !customer.siteIds.includes(one));
  return (
    <>
      {others.length > 0 ? (
        <form
          method="post"
          className="mt-4 flex flex-wrap gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            addToSite.mutate(String(new FormData(event.currentTarget).get("site")));
          }}
        >
          <Select key={others.join()} name="site" aria-label={t("Another site")}>
            {others.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </Select>
          <Button type="submit" busy={addToSite.isPending}>
            {t("Add to site")}
          </Button>
        </form>
      ) : null}
      {addToSite.error ? (
        <div className="mt-4">
          <CallFailed title={t("The customer was not added")} error={addToSite.error} />
        </div>
      ) : null}
    </>
  );
}

interface RemoveDialogProps extends CareProps {
  from: string;
  onClose: () => void;
}

function RemoveDialog({ customer, site, from, onClose }: RemoveDialogProps) {
  const { view } = usePortal();
  const router = useRouter();
  const { removeFromSite } = useCustomerActions(site, customer.id);
  const remove = async () => {
    await removeFromSite(from);
    if (from === site) router.push(`/t/${view.tenant}/sites/${site}/customers`);
  };
  return (
    <ActionDialog
      title={t("Remove the customer from {from}", { from })}
      description={t(
        "Sign-ins at {from} end within a second, and the customer cannot sign in there until added again. The profile stays.",
        { from },
      )}
      confirm={t("Remove from site")}
      danger
      failed={t("The customer was not removed")}
      onConfirm={remove}
      onClose={onClose}
    />
  );
}
