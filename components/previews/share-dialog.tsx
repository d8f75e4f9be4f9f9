"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { msg, t } from "@/components/texts/t";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { serverNow } from "@/components/ui/clock";
import { CopyButton } from "@/components/ui/copy-button";
import { Dialog } from "@/components/ui/dialog";
import { CallFailed, errorText } from "@/components/ui/error-notice";
import { Field, Select, TextField } from "@/components/ui/form/field";
import { textOf, useAction } from "@/components/ui/form/use-action";
import { Instant } from "@/components/ui/instant";
import { Loaded } from "@/components/ui/loaded";
import { Notice } from "@/components/ui/notice";
import { notify } from "@/components/ui/toast";
import type { PreviewShare } from "@/lib/features/previews/shares/contract";
import { siteKey } from "./keys";

const sharesKey = (tenant: string, site: string, key: string) => [
  ...siteKey(tenant, site),
  "shares",
  key,
];

/** The shares of a configuration, as a query. */
function useSharesQuery(site: string, key: string) {
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
function useShareActions(site: string, key: string) {
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

interface ShareDialogProps {
  site: string;
  previewKey: string;
  onClose: () => void;
}

/** Links that let people without a login view a preview and comment on it. */
export function ShareDialog({ site, previewKey, onClose }: ShareDialogProps) {
  const found = useQuery(useSharesQuery(site, previewKey));
  const { create, revoke } = useShareActions(site, previewKey);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('Share "{previewKey}"', { previewKey })}
      description={t(
        "Anyone with the link sees the saved preview and its comments, and nothing else, until it expires or you revoke it.",
      )}
    >
      <div className="flex flex-col gap-5">
        <ShareForm create={create} />
        <section aria-label={t("Shares")} className="flex flex-col gap-2">
          <h3 className="text-body font-medium">{t("Shares")}</h3>
          <Loaded found={found} failed={t("The shares could not be loaded")} skeleton="h-16">
            {(shares) =>
              shares.length > 0 ? (
                <ShareList
                  shares={shares}
                  busy={revoke.isPending}
                  onRevoke={(id) => revoke.mutate(id)}
                />
              ) : (
                <p className="text-body text-muted">{t("Nobody has a link to this preview.")}</p>
              )
            }
          </Loaded>
        </section>
      </div>
    </Dialog>
  );
}

const dayMs = 86_400_000;
const lifetimes = {
  1: msg("1 day"),
  7: msg("7 days"),
  30: msg("30 days"),
  90: msg("90 days"),
};

type Create = ReturnType<typeof useShareActions>["create"];

function ShareForm({ create }: { create: Create }) {
  const [url, setUrl] = useState<string>();
  const { busy, errors, error, form } = useAction(
    async (values) => {
      // A minute less, in case the service's clock is slow.
      const end = serverNow() + Number(values.get("days")) * dayMs - 60_000;
      setUrl(await create(new Date(end).toISOString(), textOf(values, "comment")));
    },
    ["/comment"],
  );
  return (
    <form method="post" {...form} className="flex flex-col gap-3">
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField
          label={t("For whom")}
          name="comment"
          maxLength={256}
          hint={t("A note for your colleagues.")}
          error={errors["/comment"]}
        />
        <Field label={t("Expires after")}>
          {(control) => (
            <Select {...control} name="days" defaultValue="7" className="w-full">
              {Object.entries(lifetimes).map(([days, words]) => (
                <option key={days} value={days}>
                  {t(words)}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
      {error ? <CallFailed title={t("The link was not created")} error={error} /> : null}
      {url ? (
        <Notice tone="success">
          <p className="mb-2 font-medium">{t("Copy the link now. It is not shown again.")}</p>
          <code className="block break-all text-meta">{url}</code>
          <div className="mt-2">
            <CopyButton text={url} label={t("Copy link")} words={t("Copy link")} tone="secondary" />
          </div>
        </Notice>
      ) : null}
      <div className="flex justify-end">
        <Button type="submit" tone="primary" busy={busy}>
          {t("Create link")}
        </Button>
      </div>
    </form>
  );
}

const states = {
  active: { words: msg("Active"), tone: "success" },
  expired: { words: msg("Expired"), tone: "neutral" },
  void: { words: msg("Void"), tone: "warning" },
} as const;

interface ShareListProps {
  shares: PreviewShare[];
  busy: boolean;
  onRevoke: (id: string) => void;
}

function ShareList({ shares, busy, onRevoke }: ShareListProps) {
  return (
    <ul className="flex flex-col divide-y divide-border rounded-control border border-border">
      {shares.map(({ id, status, comment, validTo }) => (
        <li key={id} className="flex items-center gap-3 px-3 py-2">
          <div className="min-w-0 flex-1">
            <p className="truncate text-body">{comment || t("No note")}</p>
            <p className="text-meta text-muted">
              {status === "expired" ? t("Expired") : t("Expires")} <Instant at={validTo} />
            </p>
          </div>
          <Badge tone={states[status].tone}>{t(states[status].words)}</Badge>
          <Button
            size="small"
            disabled={busy}
            aria-label={t("Revoke the share {comment}", { comment: comment || id })}
            onClick={() => onRevoke(id)}
          >
            {t("Revoke")}
          </Button>
        </li>
      ))}
    </ul>
  );
}
