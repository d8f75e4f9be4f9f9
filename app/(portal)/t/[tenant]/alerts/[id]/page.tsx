import { firstAnswer, firstPage } from "@/app/(portal)/first-page";
import { portalPage } from "@/app/(portal)/portal-page";
import { titled } from "@/app/titled";
import { AlertPage } from "@/components/alerts/alert-page";
import { alertKeys } from "@/components/alerts/query-keys";
import { Seeds } from "@/components/shell/seed";
import { msg } from "@/components/texts/t";
import * as contract from "@/lib/features/alerts/contract";
import { getAlert, listAlertEntries } from "@/lib/features/alerts/service";

export const generateMetadata = titled(msg("Alert"));

export default async function OneAlertPage({ params }: PageProps<"/t/[tenant]/alerts/[id]">) {
  const { tenant, id } = await params;
  const path = `/t/${tenant}/alerts/${id}`;
  return portalPage({ tenant, path, permission: "api-metric.read" }, async (caller) => {
    const asking = { caller, params: { id } };
    const list = (_: unknown, query: { limit: number }) => listAlertEntries({ ...asking, query });
    const entries: [string[], unknown][] = [
      [alertKeys.one(tenant, id), await firstAnswer(contract.getAlert, getAlert(asking))],
      [
        alertKeys.history(tenant, id),
        await firstPage(caller, contract.listAlertEntries, list, { limit: "20" }),
      ],
    ];
    return (
      <Seeds entries={entries}>
        <AlertPage id={id} />
      </Seeds>
    );
  });
}
