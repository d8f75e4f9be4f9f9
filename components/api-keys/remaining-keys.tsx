"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { usePortal } from "@/components/shell/portal";
import { rich } from "@/components/texts/rich";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { ErrorNotice, errorText } from "@/components/ui/error-notice";
import { Instant } from "@/components/ui/instant";
import { Few } from "@/components/ui/table/few";
import { notify } from "@/components/ui/toast";
import type { ApiKey } from "@/lib/features/api-keys/contract";
import { useOwnKeys } from "./own-keys";

/** The user's active API keys, which stay valid after a password change, each with a button to suspend it. */
export function RemainingKeys() {
  const keys = useQuery(useOwnKeys());
  if (keys.error)
    return (
      <ErrorNotice title={t("Your API keys could not be read")} detail={errorText(keys.error)} />
    );
  const active = (keys.data ?? []).filter(({ status }) => status === "active");
  return (
    <section aria-label={t("API keys that remain valid")} className="flex flex-col gap-2">
      <h3 className="text-control font-medium">{t("API keys that remain valid")}</h3>
      <p className="text-body text-muted">
        {active.length === 0
          ? t("You have no active API keys in this tenant.")
          : t(
              "Changing the password does not affect these keys. If someone else may know the password, suspend those you do not recognize.",
            )}
      </p>
      {active.length > 0 ? (
        <div className="rounded-control border border-border">
          <Few items={active} first={3}>
            {(shown) => (
              <ul className="divide-y divide-border">
                {shown.map((key) => (
                  <RemainingKey key={key.apiKeyId} apiKey={key} />
                ))}
              </ul>
            )}
          </Few>
        </div>
      ) : null}
    </section>
  );
}

function RemainingKey({ apiKey }: { apiKey: ApiKey }) {
  const { call } = usePortal();
  const queries = useQueryClient();
  const own = useOwnKeys();
  const { apiKeyId, name, hint, lastUsedAt } = apiKey;
  const suspend = useMutation({
    mutationFn: () =>
      call("POST /v1/user/profile/api-keys/{apiKeyId}/suspend", { params: { apiKeyId } }),
    onSuccess: () => notify(t('Key "{name}" suspended', { name })),
    onError: (error) =>
      notify(t('Key "{name}" was not suspended. {message}', { name, message: errorText(error) })),
    onSettled: () => queries.invalidateQueries(own),
  });
  return (
    <li className="flex items-center gap-3 px-3 py-2">
      <span className="min-w-0 flex-1">
        <span className="block truncate text-control font-medium" title={name}>
          {name}
        </span>
        <span className="block text-meta text-muted">
          <code>svk_…{hint}</code>,{" "}
          {lastUsedAt
            ? rich("used {when}", { when: <Instant at={lastUsedAt} /> })
            : t("never used")}
        </span>
      </span>
      <Button
        size="small"
        aria-label={t("Suspend key {name}", { name })}
        busy={suspend.isPending}
        onClick={() => suspend.mutate()}
      >
        {t("Suspend")}
      </Button>
    </li>
  );
}
