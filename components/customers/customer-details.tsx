"use client";

import { useQuery } from "@tanstack/react-query";
import { MoreHorizontal } from "lucide-react";
import { Suspense, useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { useSiteName } from "@/components/shell/site";
import { rich } from "@/components/texts/rich";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { CallFailed } from "@/components/ui/error-notice";
import { Instant } from "@/components/ui/instant";
import { lazyPart } from "@/components/ui/lazy-part";
import { Menu } from "@/components/ui/menu/menu";
import { Notice } from "@/components/ui/notice";
import { Breadcrumb, PageHeader } from "@/components/ui/page-header";
import { notify } from "@/components/ui/toast";
import type { CustomerDetail } from "@/lib/features/customers/staff-contract";
import { type CareProps, useCustomerActions } from "./customer-actions";
import { CustomerSitesCard } from "./customer-sites-card";
import { CustomerStatus } from "./customer-status";
import { managesEverySite, OtherSitesNotice, otherSitesNoticeId } from "./other-sites-notice";
import { ProfileCard } from "./profile-card";
import { customerKeys } from "./query-keys";
import { ActivityCard, SignInsCard } from "./trail-cards";

/** The reason and start of the customer's lock, and a button to unlock. */
function LockNotice({ customer, site }: CareProps) {
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

const LockDialog = lazyPart(() => import("./lock-dialog").then((module) => module.LockDialog));
const EndSessionsDialog = lazyPart(() =>
  import("./customer-dialogs").then((module) => module.EndSessionsDialog),
);
const PasswordTokenDialog = lazyPart(() =>
  import("./customer-dialogs").then((module) => module.PasswordTokenDialog),
);

const EraseCustomer = lazyPart(() =>
  import("./customer-dialogs").then((module) => module.EraseCustomer),
);

const EditDialog = lazyPart(() => import("./customer-dialogs").then((module) => module.EditDialog));

type Opened = "edit" | "lock" | "end-sessions" | "password-token" | "erase" | undefined;

/** A customer as staff sees it: masked, with the available actions. */
export function CustomerDetails({ site, id }: { site: string; id: string }) {
  const { view, call } = usePortal();
  const { data: customer } = useQuery({
    queryKey: customerKeys.one(view.tenant, site, id),
    queryFn: ({ signal }) => call("GET /v1/customers/{id}", { site, params: { id }, signal }),
  });
  if (!customer) return null;
  return (
    <>
      <Breadcrumb
        above={[{ label: t("Customers"), href: `/t/${view.tenant}/sites/${site}/customers` }]}
        here={customer.name ?? customer.login}
      />
      <Head customer={customer} site={site} />
      <div className="flex flex-col gap-6">
        <OtherSitesNotice customer={customer} />
        <LockNotice customer={customer} site={site} />
        <ProfileCard customer={customer} site={site} />
        <CustomerSitesCard customer={customer} site={site} />
        <SignInsCard sessions={customer.sessions} />
        <ActivityCard activity={customer.activity} />
      </div>
    </>
  );
}

function Head({ customer, site }: { customer: CustomerDetail; site: string }) {
  const siteName = useSiteName();
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  return (
    <>
      <PageHeader
        title={customer.name ?? t("Unnamed customer")}
        lead={t("{login} at {siteIds}", {
          login: customer.login,
          siteIds: customer.siteIds.map(siteName).join(", "),
        })}
        actions={
          <div className="flex flex-wrap items-center gap-2">
            <CustomerStatus lock={customer.lock} />
            {customer.lock ? null : (
              <Button
                disabled={!managesEverySite(customer)}
                aria-describedby={managesEverySite(customer) ? undefined : otherSitesNoticeId}
                onClick={() => setOpened("lock")}
              >
                {t("Lock customer")}
              </Button>
            )}
            <CareMenu customer={customer} onOpen={setOpened} />
          </div>
        }
      />
      <Suspense>
        {opened === "lock" ? <LockDialog customer={customer} site={site} onClose={close} /> : null}
        {opened === "edit" ? <EditDialog customer={customer} site={site} onClose={close} /> : null}
        {opened === "end-sessions" ? (
          <EndSessionsDialog customer={customer} site={site} onClose={close} />
        ) : null}
        {opened === "erase" ? (
          <EraseCustomer customer={customer} site={site} onClose={close} />
        ) : null}
        {opened === "password-token" ? (
          <PasswordTokenDialog customer={customer} site={site} onClose={close} />
        ) : null}
      </Suspense>
    </>
  );
}

function CareMenu({
  customer,
  onOpen,
}: {
  customer: CustomerDetail;
  onOpen: (what: Opened) => void;
}) {
  const unavailable = managesEverySite(customer)
    ? undefined
    : t("Needs customer.manage at {unmanagedSiteIds}", {
        unmanagedSiteIds: customer.unmanagedSiteIds.join(", "),
      });
  const item = (key: Exclude<Opened, undefined>, label: string) => ({
    key,
    label,
    unavailable,
    onSelect: () => onOpen(key),
  });
  const items = [
    item("edit", t("Edit profile")),
    item("end-sessions", t("Sign out everywhere")),
    item("password-token", t("Create password reset token")),
    { ...item("erase", t("Erase customer")), danger: true },
  ];
  return (
    <Menu
      tone="secondary"
      size="icon"
      aria-label={t("More actions")}
      icon={<MoreHorizontal aria-hidden="true" className="size-4" />}
      groups={[{ key: "more", items }]}
    />
  );
}
