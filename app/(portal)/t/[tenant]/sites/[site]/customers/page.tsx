import type { Metadata } from "next";
import { sitePage } from "@/app/(portal)/site-page";
import { CustomersView } from "@/components/customers/customers-view";
import { listKey, readListState } from "@/components/customers/list-state";
import { Seed } from "@/components/shell/seed";
import { readCustomerPage } from "./read-customer-page";

export const metadata: Metadata = { title: "Customers" };

type Props = PageProps<"/t/[tenant]/sites/[site]/customers">;

export default async function CustomersPage({ params, searchParams }: Props) {
  const { tenant, site } = await params;
  const state = readListState(await searchParams);
  const permission = "customer.manage";
  return sitePage({ tenant, site, area: "customers", permission }, async (caller) => (
    <Seed queryKey={listKey(tenant, site, state)} data={await readCustomerPage(caller, state)}>
      <CustomersView site={site} />
    </Seed>
  ));
}
