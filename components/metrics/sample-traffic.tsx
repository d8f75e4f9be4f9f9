"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import type { ReactNode } from "react";
import { usePortal } from "@/components/shell/portal";
import { mayManageSample } from "@/components/shell/tenant-kind";
import { rich } from "@/components/texts/rich";
import { t } from "@/components/texts/t";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { CallFailed } from "@/components/ui/error-notice";
import { Instant } from "@/components/ui/instant";
import { notify } from "@/components/ui/toast";
import type { Metadata } from "./load";
import type { MetricsState } from "./state";

type Sample = Metadata["sampleTraffic"];
type Change = (change: Partial<MetricsState>) => void;

/** Refreshes everything that shows it: queries, and parts rendered on the server. */
function useReadAgain() {
  const { view } = usePortal();
  const queries = useQueryClient();
  const router = useRouter();
  return async () => {
    router.refresh();
    await queries.invalidateQueries({ queryKey: [view.tenant, "metrics"] });
  };
}

function useAdd(onAdded?: () => void) {
  const { call } = usePortal();
  const readAgain = useReadAgain();
  return useMutation({
    mutationFn: () => call("PUT /v1/api-metrics/sample-traffic", {}),
    onSuccess: async () => {
      onAdded?.();
      await readAgain();
    },
  });
}

/** No confirmation: sample traffic can be generated again. */
function useRemove(onRemoved?: () => void) {
  const { call } = usePortal();
  const readAgain = useReadAgain();
  const add = useAdd();
  return useMutation({
    mutationFn: () => call("DELETE /v1/api-metrics/sample-traffic", {}),
    onSuccess: async () => {
      onRemoved?.();
      void notify(t("Sample traffic removed."), {
        label: t("Add again"),
        onClick: () => add.mutate(),
      });
      await readAgain();
    },
  });
}

export function AddSampleTraffic({ onAdded }: { onAdded?: () => void }) {
  const add = useAdd(onAdded);
  return (
    <>
      <Button busy={add.isPending} onClick={() => add.mutate()}>
        {t("Add sample traffic")}
      </Button>
      {add.error ? <CallFailed title={t("No sample traffic was added")} error={add.error} /> : null}
    </>
  );
}

interface SampleNoteProps {
  /** Null when it has been removed. */
  sample: Pick<NonNullable<Sample>, "expiresAt"> | null;
  onRemoved?: () => void;
  /** Further actions. */
  children?: ReactNode;
}

/** The notice next to sample traffic: the calls are not real, with a button to remove them. */
export function SampleNote({ sample, onRemoved, children }: SampleNoteProps) {
  const mayManage = mayManageSample(usePortal().view);
  const remove = useRemove(onRemoved);
  return (
    <section
      aria-label={t("Sample traffic")}
      className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-card border border-border bg-subtle px-3 py-2 text-body"
    >
      <Badge tone="warning">{t("Sample traffic")}</Badge>
      <p className="min-w-0 flex-1 basis-60">
        {sample
          ? rich("Nobody made these calls. They are removed {when}.", {
              when: <Instant at={sample.expiresAt} />,
            })
          : t("This tenant has none.")}
      </p>
      <span className="flex flex-wrap gap-2 print:hidden">
        {children}
        {sample && mayManage ? (
          <Button size="small" busy={remove.isPending} onClick={() => remove.mutate()}>
            {t("Remove")}
          </Button>
        ) : null}
      </span>
      {remove.error ? (
        <CallFailed title={t("The sample traffic was not removed")} error={remove.error} />
      ) : null}
    </section>
  );
}

interface OnMetricsProps {
  state: MetricsState;
  sample: Sample;
  change: Change;
}

/** Above the figures of sample traffic. */
export function SampleStrip({ sample, change }: OnMetricsProps) {
  const showCalls = () => change({ sample: false });
  return (
    <SampleNote sample={sample} onRemoved={showCalls}>
      <Button size="small" tone="quiet" onClick={showCalls}>
        {t("Show your calls")}
      </Button>
    </SampleNote>
  );
}

/** The link to sample traffic, when there is some or can be. */
export function SampleOffer({ state, sample, change }: OnMetricsProps) {
  const mayManage = mayManageSample(usePortal().view);
  const show = () => change({ sample: true });
  if (sample)
    return state.sample ? null : <Button onClick={show}>{t("Show sample traffic")}</Button>;
  return mayManage ? <AddSampleTraffic onAdded={show} /> : null;
}
