"use client";

import { useSiteName } from "@/components/shell/site";
import { t } from "@/components/texts/t";
import { Facts } from "@/components/ui/card";
import { CopyButton } from "@/components/ui/copy-button";
import { Instant } from "@/components/ui/instant";
import { PeekPanel } from "@/components/ui/table/peek-panel";
import type { ListedCustomer } from "@/lib/features/customers/staff-contract";
import { CustomerStatus } from "./customer-status";

interface CustomerPeekProps {
  customer: ListedCustomer;
  href: string;
  onClose: () => void;
}

function factsOf(customer: ListedCustomer, siteName: (id: string) => string) {
  const { id, login, name, emailAddress, registrationDate, lastLoginAt, siteIds } = customer;
  return [
    { name: t("Name"), value: name ?? t("none") },
    { name: t("Login"), value: login },
    { name: t("E-mail"), value: emailAddress ?? t("none") },
    {
      name: t("Customer id"),
      value: (
        <>
          <code className="break-all text-meta">{id}</code>
          <CopyButton text={id} label={t("Copy customer id")} />
        </>
      ),
    },
    { name: t("Registered"), value: <Instant at={registrationDate} form="full" /> },
    {
      name: t("Last sign-in"),
      value: lastLoginAt ? <Instant at={lastLoginAt} form="full" /> : t("never"),
    },
    { name: t("Sites"), value: siteIds.map(siteName).join(", ") },
  ];
}

/** The main facts of a customer next to the list: masked as in the list. */
export function CustomerPeek({ customer, href, onClose }: CustomerPeekProps) {
  return (
    <PeekPanel
      row={customer.id}
      title={customer.name ?? t("No name")}
      status={<CustomerStatus lock={customer.lock} />}
      href={href}
      onClose={onClose}
    >
      <Facts facts={factsOf(customer, useSiteName())} />
    </PeekPanel>
  );
}
