"use client";

import { CopyButton } from "@/components/ui/copy-button";
import { Facts } from "@/components/ui/facts";
import { Instant } from "@/components/ui/instant";
import { PeekPanel } from "@/components/ui/peek-panel";
import type { ListedCustomer } from "@/lib/features/customers/staff-contract";
import { CustomerStatus } from "./customer-status";

interface CustomerPeekProps {
  customer: ListedCustomer;
  href: string;
  onClose: () => void;
}

function factsOf(customer: ListedCustomer) {
  const { id, login, name, emailAddress, registrationDate, lastLoginAt, siteIds } = customer;
  return [
    { name: "Name", value: name ?? "none" },
    { name: "Login", value: login },
    { name: "E-mail", value: emailAddress ?? "none" },
    {
      name: "Customer id",
      value: (
        <>
          <code className="break-all text-meta">{id}</code>
          <CopyButton text={id} label="Copy customer id" />
        </>
      ),
    },
    { name: "Registered", value: <Instant at={registrationDate} form="full" /> },
    {
      name: "Last sign-in",
      value: lastLoginAt ? <Instant at={lastLoginAt} form="full" /> : "never",
    },
    { name: "Sites", value: siteIds.join(", ") },
  ];
}

/** The main facts of a customer beside the list: masked, as they are there. */
export function CustomerPeek({ customer, href, onClose }: CustomerPeekProps) {
  return (
    <PeekPanel
      row={customer.id}
      title={customer.name ?? "No name"}
      status={<CustomerStatus lock={customer.lock} />}
      href={href}
      onClose={onClose}
    >
      <Facts facts={factsOf(customer)} />
    </PeekPanel>
  );
}
