import { portalPage } from "@/app/(portal)/portal-page";
import { titled } from "@/app/titled";
import { msg } from "@/components/texts/t";
import { alertFor } from "./alert-for";

export const generateMetadata = titled(msg("Alert"));

export default async function OneAlertPage({ params }: PageProps<"/t/[tenant]/alerts/[id]">) {
  const { tenant, id } = await params;
  const path = `/t/${tenant}/alerts/${id}`;
  return portalPage({ tenant, path, permission: "api-metric.read" }, (caller) =>
    alertFor(caller, id),
  );
}
