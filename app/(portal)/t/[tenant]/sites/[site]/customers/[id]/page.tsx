import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { portalPage } from "@/app/(portal)/portal-page";
import { CustomerDetails } from "@/components/customers/customer-details";
import { customerKey } from "@/components/customers/list-state";
import { Seed } from "@/components/shell/seed";
import { getCustomer } from "@/lib/features/customers/customer-queries";
import { ApiError } from "@/lib/protocol/errors";

export const metadata: Metadata = { title: "Customer" };

export default async function CustomerPage({
  params,
}: PageProps<"/t/[tenant]/sites/[site]/customers/[id]">) {
  const { tenant, site, id } = await params;
  const needs = {
    tenant,
    site,
    path: `/t/${tenant}/sites/${site}/customers/${id}`,
    permission: "customer.manage",
  } as const;
  return portalPage(needs, async (caller) => {
    if (caller.siteId !== site) notFound();
    const customer = await getCustomer(caller, id).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === "customer.not-found") notFound();
      throw error;
    });
    return (
      <Seed queryKey={customerKey(tenant, site, id)} data={customer}>
        <CustomerDetails key={id} site={site} id={id} />
      </Seed>
    );
  });
}
