import type { Metadata } from "next";
import { portalPage } from "@/app/(portal)/portal-page";
import { homeFor } from "./home-for";

export const metadata: Metadata = { title: "Home" };

export default async function HomePage({ params }: PageProps<"/t/[tenant]">) {
  const { tenant } = await params;
  return portalPage({ tenant, path: `/t/${tenant}` }, homeFor);
}
