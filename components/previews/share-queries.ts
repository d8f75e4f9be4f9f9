"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { errorText } from "@/components/ui/error-text";
import { notify } from "@/components/ui/toast";
import { siteKey } from "./keys";

const sharesKey = (tenant: string, site: string, key: string) => [
  ...siteKey(tenant, site),
  "shares",
  key,
];

/** The shares of a configuration, as a query. */
export function useSharesQuery(site: string, key: string) {
  const { view, call } = usePortal();
  return {
    queryKey: sharesKey(view.tenant, site, key),
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      call("GET /pim/preview/{key}/shares", {
        site,
        params: { key },
        query: { limit: "50" },
        signal,
      }),
  };
}

/** Creates and revokes shares of a configuration. */
export function useShareActions(site: string, key: string) {
  const { view, call } = usePortal();
  const queries = useQueryClient();
  const renew = () => queries.invalidateQueries({ queryKey: sharesKey(view.tenant, site, key) });
  const create = async (validTo: string, comment: string) => {
    const body = { validTo, comment };
    const { url } = await call("POST /pim/preview/{key}/shares", { site, params: { key }, body });
    await renew();
    return url;
  };
  const revoke = useMutation({
    mutationFn: (id: string) =>
      call("DELETE /pim/preview/{key}/shares/{id}", { site, params: { key, id } }),
    onSuccess: () => void notify(t("Share revoked")),
    onError: (error) => void notify(errorText(error)),
    onSettled: renew,
  });
  return { create, revoke };
}
