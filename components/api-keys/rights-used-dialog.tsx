"use client";

import { useQuery } from "@tanstack/react-query";
import { usePortal } from "@/components/shell/portal";
import { rich } from "@/components/texts/rich";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Instant } from "@/components/ui/instant";
import { Loaded } from "@/components/ui/loaded";
import type { LastUse } from "@/lib/catalogue/access-contract";
import type { ApiKey } from "@/lib/features/api-keys/contract";
import type { KeyDialogProps } from "./key-dialog-props";
import { keyKeys } from "./query-keys";

interface RightUse {
  permission: string;
  lastUsedAt: string | undefined;
  /** Whether this service answers, and therefore counts, the calls that need it. */
  isCounted: boolean;
}

const newest = (times: string[]) => times.sort().at(-1);

/** The permissions of a key, or those that it has used when it has all of its owner's. */
export function rightsOf({ permissions }: Pick<ApiKey, "permissions">, use: LastUse): RightUse[] {
  const named: string[] = permissions ?? use.uses.map(({ permission }) => permission);
  return [...new Set(named)].sort().map((permission) => ({
    permission,
    lastUsedAt: newest(
      use.uses
        .filter(({ includedIn }) => includedIn.some((one) => one === permission))
        .map(({ lastUsedAt }) => lastUsedAt),
    ),
    isCounted: !use.uncounted.some((one) => one === permission),
  }));
}

/** The permissions of the key that were provably unused in the whole period. */
export function unusedRights(apiKey: Pick<ApiKey, "permissions" | "createdAt">, use: LastUse) {
  const isWhole = use.since === use.from && use.isComplete && apiKey.createdAt < use.from;
  if (!isWhole || !apiKey.permissions) return [];
  return rightsOf(apiKey, use)
    .filter(({ isCounted, lastUsedAt = "" }) => isCounted && lastUsedAt < use.from)
    .map(({ permission }) => permission);
}

/** The last use of each permission of a key, and the permissions that it does not need. */
export function RightsUsedDialog({ apiKey, onClose }: KeyDialogProps) {
  const { view, call } = usePortal();
  const { apiKeyId } = apiKey;
  const found = useQuery({
    queryKey: keyKeys.lastUse(view.tenant, apiKeyId),
    queryFn: ({ signal }) => call("GET /v1/access/last-use", { query: { apiKeyId }, signal }),
  });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('Rights that key "{name}" used', { name: apiKey.name })}
      description={t("By the calls that were answered, to the day.")}
    >
      <Loaded found={found} failed={t("The use of the key could not be loaded")} skeleton="h-40">
        {(use) => <Rights apiKey={apiKey} use={use} />}
      </Loaded>
      <DialogActions>
        <Button onClick={onClose}>{t("Close")}</Button>
      </DialogActions>
    </Dialog>
  );
}

interface RightsProps {
  apiKey: ApiKey;
  use: LastUse;
}

function Rights({ apiKey, use }: RightsProps) {
  const rights = rightsOf(apiKey, use);
  const unused = unusedRights(apiKey, use);
  return (
    <div className="flex flex-col gap-4 text-body">
      {rights.length > 0 ? (
        <dl className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-1">
          {rights.map(({ permission, lastUsedAt, isCounted }) => (
            <div key={permission} className="contents">
              <dt className="wrap-anywhere font-mono text-meta">{permission}</dt>
              <dd>
                {lastUsedAt ? <Instant at={lastUsedAt} form="day" /> : null}
                {lastUsedAt ? null : (
                  <span className="text-muted">
                    {isCounted ? t("no call") : t("not counted here")}
                  </span>
                )}
              </dd>
            </div>
          ))}
        </dl>
      ) : (
        <p>{t("No call of this key is counted.")}</p>
      )}
      <p className="text-muted">
        {use.since
          ? rich("Calls are counted since {when}.", {
              when: <Instant at={use.since} form="day" />,
            })
          : t("No call of this tenant is counted yet.")}
        {use.isComplete ? "" : t(" Some calls are counted without the key that made them.")}
      </p>
      {unused.length > 0 ? (
        <p>
          {rich(
            "<span>No call used these for 90 days:</span> {unused}. A key keeps the rights that it was created with: create one without these, and revoke this one.",
            {
              span: (inner) => <span className="font-medium">{inner}</span>,
              unused: unused.join(", "),
            },
          )}
        </p>
      ) : null}
    </div>
  );
}
