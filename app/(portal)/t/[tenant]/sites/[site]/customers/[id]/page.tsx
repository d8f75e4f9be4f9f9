import { notFound } from "next/navigation";
import { sitePage } from "@/app/(portal)/site-page";
import { titled } from "@/app/titled";
import { CustomerDetails } from "@/components/customers/customer-details";
import { customerKeys } from "@/components/customers/query-keys";
import { Seed } from "@/components/shell/seed";
import { msg } from "@/components/texts/t";
import { getCustomer } from "@/lib/features/customers/customer-queries";
import { ApiError } from "@/lib/protocol/errors";

export const generateMetadata = titled(msg("Customer"));

type Props = PageProps<"/t/[tenant]/sites/[site]/customers/[id]">;

export default async function CustomerPage({ params }: Props) {
  const { tenant, site, id } = await params;
  const area = `customers/${id}`;
  return sitePage({ tenant, site, area, permission: "customer.manage" }, async (caller) => {
    const customer = await getCustomer(caller, id).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === "customer.not-found") notFound();
      throw error;
    });
    return (
      <Seed queryKey={customerKeys.one(tenant, site, id)} data={customer}>
        <CustomerDetails key={id} site={site} id={id} />
      </Seed>
    );
  });
}
