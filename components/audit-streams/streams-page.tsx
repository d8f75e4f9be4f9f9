"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { DestinationsPage } from "@/components/destinations/page";
import { DestinationState, DestinationsTable } from "@/components/destinations/table";
import { curlOf } from "@/components/shell/copied-call";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { Instant } from "@/components/ui/instant";
import type { AuditStream } from "@/lib/features/destinations/audit-streams/contract";
import { CreateStream } from "./create-dialog";
import { useStreamsQuery } from "./stream-queries";
import { kindNames, placeOf, StreamLag } from "./stream-state";

/** The audit streams of the tenant. */
export function StreamsPage() {
  const { view } = usePortal();
  const found = useInfiniteQuery(useStreamsQuery());
  return (
    <DestinationsPage
      found={found}
      title={t("Audit streams")}
      lead={t("Send every entry of the trail to your SIEM or archive, in the order of the chain.")}
      create={t("Create stream")}
      failed={t("The audit streams could not be loaded")}
      more={t("Show more streams")}
      empty={{
        title: t("No audit streams yet"),
        purpose: t(
          "A stream delivers each entry within seconds: over HTTPS, to syslog, to storage or to a file.",
        ),
        create: t("Create the first stream"),
        curl: curlOf(
          { operation: "GET /v1/audit/streams" },
          { tenant: view.tenant, origin: view.origin },
        ),
        about: t("the call that lists streams"),
      }}
      dialog={(onClose) => <CreateStream onClose={onClose} />}
    >
      {(streams) => <StreamsTable streams={streams} />}
    </DestinationsPage>
  );
}

function StreamsTable({ streams }: { streams: AuditStream[] }) {
  const { view } = usePortal();
  const className = "text-muted";
  return (
    <DestinationsTable
      label={t("Audit streams, newest first")}
      name={t("Destination")}
      items={streams}
      pathOf={({ id }) => `/t/${view.tenant}/streams/${id}`}
      placeOf={placeOf}
      columns={[
        { name: t("Kind"), cell: ({ kind }) => t(kindNames[kind]), className },
        {
          name: t("State"),
          cell: (one) => (
            <DestinationState destination={one} failingSince={one.state.failingSince} />
          ),
        },
        { name: t("Behind"), cell: (one) => <StreamLag stream={one} />, className },
        {
          name: t("Last delivery"),
          cell: ({ state }) =>
            state.deliveredAt ? <Instant at={state.deliveredAt} /> : t("none yet"),
          className,
        },
      ]}
    />
  );
}
