import { openDefaultView } from "@/app/(portal)/open-default-view";
import { sitePage } from "@/app/(portal)/site-page";
import { titled } from "@/app/titled";
import { CustomersView } from "@/components/customers/customers-view";
import { listKey, readListState } from "@/components/customers/list-state";
import { Seed } from "@/components/shell/seed";
import { msg } from "@/components/texts/t";
import { readCustomerPage } from "./read-customer-page";

export const generateMetadata = titled(msg("Customers"));

type Props = PageProps<"/t/[tenant]/sites/[site]/customers">;

export default async function CustomersPage({ params, searchParams }: Props) {
  const { tenant, site } = await params;
  const query = await searchParams;
  const state = readListState(query);
  const permission = "customer.manage";
  const path = `/t/${tenant}/sites/${site}/customers`;
  return sitePage({ tenant, site, area: "customers", permission }, async (caller) => {
    await openDefaultView(caller, { page: "customers", path, query });
    return (
      <Seed queryKey={listKey(tenant, site, state)} data={await readCustomerPage(caller, state)}>
        <CustomersView site={site} />
      </Seed>
    );
  });
}
