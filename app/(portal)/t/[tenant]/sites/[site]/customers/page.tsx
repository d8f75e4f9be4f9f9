import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { portalPage } from "@/app/(portal)/portal-page";
import { CustomersView } from "@/components/customers/customers-view";
import { listKey, readListState } from "@/components/customers/list-state";
import { Seed } from "@/components/shell/seed";
import { readCustomerPage } from "./read-customer-page";

export const metadata: Metadata = { title: "Customers" };

export default async function CustomersPage({
  params,
  searchParams,
}: PageProps<"/t/[tenant]/sites/[site]/customers">) {
  const { tenant, site } = await params;
  const state = readListState(await searchParams);
  const needs = {
    tenant,
    site,
    path: `/t/${tenant}/sites/${site}/customers`,
    permission: "customer.manage",
  } as const;
  return portalPage(needs, async (caller) => {
    if (caller.siteId !== site) notFound();
    return (
      <Seed queryKey={listKey(tenant, site, state)} data={await readCustomerPage(caller, state)}>
        <CustomersView site={site} />
      </Seed>
    );
  });
}
