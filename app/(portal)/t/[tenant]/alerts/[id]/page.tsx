import { portalPage } from "@/app/(portal)/portal-page";
import { titled } from "@/app/titled";
import { AlertPage } from "@/components/alerts/alert-page";
import { msg } from "@/components/texts/t";

export const generateMetadata = titled(msg("Alert"));

export default async function OneAlertPage({ params }: PageProps<"/t/[tenant]/alerts/[id]">) {
  const { tenant, id } = await params;
  const path = `/t/${tenant}/alerts/${id}`;
  return portalPage({ tenant, path, permission: "api-metric.read" }, async () => (
    <AlertPage id={id} />
  ));
}
