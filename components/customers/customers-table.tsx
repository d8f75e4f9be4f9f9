"use client";

import Link from "next/link";
import { usePortal } from "@/components/shell/portal";
import { DataTable } from "@/components/ui/data-table";
import { Instant } from "@/components/ui/instant";
import { Cell, HeadCell, Row } from "@/components/ui/table";
import type { ListedCustomer } from "@/lib/features/customers/staff-contract";
import { CustomerStatus } from "./customer-status";

const columns = ["Name", "Login", "E-mail", "Status", "Registered", "Last sign-in", "Sites"];

export function CustomersTable({ customers, site }: { customers: ListedCustomer[]; site: string }) {
  const { view } = usePortal();
  return (
    <DataTable label="Customers" className="[--row:36px]">
      <thead>
        <tr>
          {columns.map((name) => (
            <HeadCell key={name}>{name}</HeadCell>
          ))}
        </tr>
      </thead>
      <tbody>
        {customers.map((customer) => (
          <Row key={customer.id} className="relative">
            <Cell>
              <Link
                href={`/t/${view.tenant}/sites/${site}/customers/${customer.id}`}
                prefetch={false}
                data-row
                className="rounded-[3px] font-medium after:absolute after:inset-0"
              >
                {customer.name ?? "No name"}
              </Link>
            </Cell>
            <Cell className="text-muted">
              <code className="text-meta">{customer.login}</code>
            </Cell>
            <Cell className="text-muted">{customer.emailAddress ?? "none"}</Cell>
            <Cell>
              <CustomerStatus lock={customer.lock} />
            </Cell>
            <Cell className="text-muted">
              <Instant at={customer.registrationDate} form="day" />
            </Cell>
            <Cell className="text-muted">
              {customer.lastLoginAt ? <Instant at={customer.lastLoginAt} /> : "never"}
            </Cell>
            <Cell className="text-muted">{customer.siteIds.join(", ")}</Cell>
          </Row>
        ))}
      </tbody>
    </DataTable>
  );
}
