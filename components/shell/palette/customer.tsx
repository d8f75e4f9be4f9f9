"use client";

import { UserRound } from "lucide-react";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { foundAlready, PaletteItem } from "./item";

/** What customers are found by: a whole e-mail address, or an id. */
const exact = /^(?:[^\s@]+@[^\s@]+|cust_[a-z0-9]{26})$/;

interface PaletteCustomerProps {
  search: string;
  site: string | undefined;
  open: (href: string) => void;
}

/** Leads to the search for a customer: it is not made here, because each one is recorded. */
export function PaletteCustomer({ search, site, open }: PaletteCustomerProps) {
  const { view } = usePortal();
  const sought = search.trim();
  const where = site ?? view.sites[0];
  if (!view.permissions.includes("customer.manage") || !exact.test(sought) || !where) return null;
  return (
    <PaletteItem
      value="find-customer"
      keywords={[foundAlready]}
      icon={<UserRound aria-hidden="true" className="size-4 text-muted" />}
      onSelect={() =>
        open(`/t/${view.tenant}/sites/${where}/customers?q=${encodeURIComponent(sought)}`)
      }
    >
      {t("Find customer {sought} of {where}", { sought, where })}
    </PaletteItem>
  );
}
