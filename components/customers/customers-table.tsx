"use client";

import { usePortal } from "@/components/shell/portal";
import { useSiteName } from "@/components/shell/site";
import { t } from "@/components/texts/t";
import { Instant } from "@/components/ui/instant";
import { lazyPart } from "@/components/ui/lazy-part";
import { Link } from "@/components/ui/link";
import { DataTable } from "@/components/ui/table/data-table";
import { RowPeek } from "@/components/ui/table/row-peek";
import { Cell, Row } from "@/components/ui/table/table";
import type { ListedCustomer } from "@/lib/features/customers/staff-contract";
import { CustomerStatus } from "./customer-status";

const CustomerPeek = lazyPart(() =>
  import("./customer-peek").then((module) => module.CustomerPeek),
);

const columns = () => [
  t("Name"),
  t("Login"),
  t("E-mail"),
  t("Status"),
  t("Registered"),
  t("Last sign-in"),
  t("Sites"),
];

const idOf = ({ id }: ListedCustomer) => id;

export function CustomersTable({ customers, site }: { customers: ListedCustomer[]; site: string }) {
  const { view } = usePortal();
  const hrefOf = ({ id }: ListedCustomer) => `/t/${view.tenant}/sites/${site}/customers/${id}`;
  return (
    <RowPeek
      items={customers}
      idOf={idOf}
      peek={(customer, onClose) => (
        <CustomerPeek customer={customer} href={hrefOf(customer)} onClose={onClose} />
      )}
    >
      <DataTable label={t("Customers")} className="[--row:36px]" name="customers" heads={columns()}>
        <tbody>
          {customers.map((customer) => (
            <CustomerRow key={customer.id} customer={customer} href={hrefOf(customer)} />
          ))}
        </tbody>
      </DataTable>
    </RowPeek>
  );
}

function CustomerRow({ customer, href }: { customer: ListedCustomer; href: string }) {
  const siteName = useSiteName();
  return (
    <Row className="relative">
      <Cell>
        <Link
          href={href}
          data-row={customer.id}
          className="rounded-[3px] font-medium after:absolute after:inset-0"
        >
          {customer.name ?? t("No name")}
        </Link>
      </Cell>
      <Cell className="text-muted">
        <code className="text-meta">{customer.login}</code>
      </Cell>
      <Cell className="text-muted">{customer.emailAddress ?? t("none")}</Cell>
      <Cell card="end">
        <CustomerStatus lock={customer.lock} />
      </Cell>
      <Cell className="text-muted" label={t("Registered")}>
        <Instant at={customer.registrationDate} form="day" />
      </Cell>
      <Cell className="text-muted" label={t("Last sign-in")}>
        {customer.lastLoginAt ? <Instant at={customer.lastLoginAt} /> : t("never")}
      </Cell>
      <Cell className="text-muted" label={t("Sites")}>
        {customer.siteIds.map(siteName).join(", ")}
      </Cell>
    </Row>
  );
}
