"use client";

import { useQuery } from "@tanstack/react-query";
import { usePortal } from "@/components/shell/portal";
import { type Message, msg, number, t, translated } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { DialogActions } from "@/components/ui/dialog";
import { CallFailed } from "@/components/ui/error-notice";
import { useAction } from "@/components/ui/form/use-action";
import { Cell, Head, Row, Table } from "@/components/ui/table/table";
import type { CustomerImport } from "@/lib/features/customers/imports/contract";
import { customerKeys } from "./query-keys";

const shownFailures = 50;

const words: Record<CustomerImport["state"], Message> = {
  receiving: msg("The file is on its way"),
  queued: msg("Waiting to begin"),
  running: msg("Importing"),
  done: msg("Done"),
  cancelled: msg("Cancelled"),
};

interface ProgressProps {
  site: string;
  id: string;
  onClose: () => void;
}

/** The progress of an import and its rejected lines. The import continues when the dialog is closed. */
export function ImportProgress({ site, id, onClose }: ProgressProps) {
  const { view, call } = usePortal();
  const { data, error, refetch } = useQuery({
    queryKey: customerKeys.import(view.tenant, site, id),
    queryFn: ({ signal }) =>
      call("GET /v1/customers/imports/{id}", { site, params: { id }, signal }),
    refetchInterval: ({ state }) => (state.data?.endedAt ? false : 1000),
  });
  const cancel = useAction(async () => {
    await call("POST /v1/customers/imports/{id}/cancel", { site, params: { id } });
    await refetch();
  });
  const failure = error ?? cancel.error;
  return (
    <div className="flex flex-col gap-4">
      {data ? <Bar job={data} /> : null}
      {failure ? (
        <CallFailed title={t("The import could not be read or cancelled")} error={failure} />
      ) : null}
      {data && data.failed > 0 ? <Failures site={site} job={data} /> : null}
      <DialogActions>
        {data && data.endedAt === null ? (
          <Button tone="danger" busy={cancel.busy} onClick={() => void cancel.run()}>
            {t("Cancel import")}
          </Button>
        ) : null}
        <Button onClick={onClose}>{t("Close")}</Button>
      </DialogActions>
    </div>
  );
}

function Bar({ job }: { job: CustomerImport }) {
  const { state, total, done, failed } = job;
  const text = t("{state}: {done} of {total} created, {failed} failed", {
    state: t(words[state]),
    done: number(done),
    total: number(total),
    failed: number(failed),
  });
  return (
    <div className="flex flex-col gap-1.5">
      <progress
        aria-label={t("Lines imported")}
        className="h-2 w-full appearance-none overflow-hidden rounded-full bg-subtle [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-subtle [&::-webkit-progress-value]:bg-accent"
        max={Math.max(1, total)}
        value={done + failed}
      />
      <p className="text-control" role="status">
        {text}
      </p>
    </div>
  );
}

/** The first lines that were rejected. */
function Failures({ site, job: { id, failed } }: { site: string; job: CustomerImport }) {
  const { view, call } = usePortal();
  const { data } = useQuery({
    queryKey: [
      ...customerKeys.import(view.tenant, site, id),
      "failed",
      Math.min(failed, shownFailures),
    ],
    queryFn: ({ signal }) =>
      call("GET /v1/customers/imports/{id}/results", {
        site,
        params: { id },
        query: { result: "failed", limit: String(shownFailures) },
        signal,
      }),
    placeholderData: (before) => before,
  });
  if (!data) return null;
  return (
    <>
      <Table label={t("Lines that failed")}>
        <Head names={[t("Line"), t("Field"), t("Problem")]} />
        <tbody>
          {data.map(({ line, pointer, detail }) => (
            <Row key={line}>
              <Cell>{number(line)}</Cell>
              <Cell>{pointer || t("Whole line")}</Cell>
              <Cell wraps>{detail && translated(detail)}</Cell>
            </Row>
          ))}
        </tbody>
      </Table>
      {failed > data.length ? (
        <p className="text-body text-muted">
          {t("{count} more by GET /v1/customers/imports/{id}/results", {
            count: number(failed - data.length),
            id,
          })}
        </p>
      ) : null}
    </>
  );
}
