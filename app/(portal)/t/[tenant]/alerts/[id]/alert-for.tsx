import { firstAnswer, firstPage } from "@/app/(portal)/first-page";
import { AlertPage } from "@/components/alerts/alert-page";
import { alertKeys } from "@/components/alerts/query-keys";
import { Seeds } from "@/components/shell/seed";
import type { Caller } from "@/lib/access/caller";
import * as contract from "@/lib/features/alerts/contract";
import { getAlert, listAlertEntries } from "@/lib/features/alerts/service";

/** The page of an alert with its newest entries. */
export async function alertFor(caller: Caller, id: string) {
  const { tenantId } = caller;
  const asking = { caller, params: { id } };
  const list = (_: unknown, query: { limit: number }) => listAlertEntries({ ...asking, query });
  const [alert, entries] = await Promise.all([
    firstAnswer(contract.getAlert, getAlert(asking)),
    firstPage(caller, contract.listAlertEntries, list, { limit: "20" }),
  ]);
  return (
    <Seeds
      entries={[
        [alertKeys.one(tenantId, id), alert],
        [alertKeys.history(tenantId, id), entries],
      ]}
    >
      <AlertPage id={id} />
    </Seeds>
  );
}
