import { redirect } from "next/navigation";
import { one, portalPage } from "@/app/(portal)/portal-page";
import { titled } from "@/app/titled";
import { msg } from "@/components/texts/t";
import { afterSwitch } from "./after-switch";
import { homeFor } from "./home-for";

export const generateMetadata = titled(msg("Home"));

export default async function HomePage({ params, searchParams }: PageProps<"/t/[tenant]">) {
  const { tenant } = await params;
  const { site, page } = await searchParams;
  return portalPage({ tenant, path: `/t/${tenant}` }, (caller) => {
    const to = afterSwitch(caller, { site: one(site), page: one(page) });
    if (to) redirect(to);
    return homeFor(caller);
  });
}
