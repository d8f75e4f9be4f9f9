import { redirect } from "next/navigation";
import { one, portalPage } from "@/app/(portal)/portal-page";
import { sitesOf } from "@/app/(portal)/portal-view";
import { titled } from "@/app/titled";
import { msg } from "@/components/texts/t";
import { homeFor } from "./home-for";

export const generateMetadata = titled(msg("Home"));

export default async function HomePage({ params, searchParams }: PageProps<"/t/[tenant]">) {
  const { tenant } = await params;
  const site = one((await searchParams).site);
  const path = `/t/${tenant}`;
  return portalPage({ tenant, path }, (caller) => {
    // The site of another tenant came along with a switch from there.
    if (site && !sitesOf(caller).includes(site)) redirect(path);
    return homeFor(caller);
  });
}
