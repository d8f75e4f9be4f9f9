import type { Metadata } from "next";
import { portalPage } from "@/app/(portal)/portal-page";
import { ownDetailsFor } from "./own-details-for";

export const metadata: Metadata = { title: "Your details" };

export default async function OwnDetailsPage({ params }: PageProps<"/t/[tenant]/me">) {
  const { tenant } = await params;
  return portalPage({ tenant, path: `/t/${tenant}/me` }, ownDetailsFor);
}
