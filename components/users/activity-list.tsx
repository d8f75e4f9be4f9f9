"use client";

import { useQuery } from "@tanstack/react-query";
import { auditKeys } from "@/components/audit/query-keys";
import { Sentence } from "@/components/audit/sentence";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { Card } from "@/components/ui/card";
import { Instant } from "@/components/ui/instant";
import { Loaded } from "@/components/ui/loaded";
import { DataTable } from "@/components/ui/table/data-table";
import { Cell, Row } from "@/components/ui/table/table";
import type { AuditEvent } from "@/lib/features/audit/contract";

/** The newest actions of a user and on the user. */
export function UserActivity({ userId, name }: { userId: string; name: string }) {
  return (
    <div className="flex flex-col gap-6">
      <ActivityCard id="done-by" title={t("Done by {name}", { name })} filter={{ actor: userId }} />
      <ActivityCard
        id="done-to"
        title={t("Done to {name}", { name })}
        filter={{ target: userId }}
      />
    </div>
  );
}

function ActivityCard({
  id,
  title,
  filter,
}: {
  id: string;
  title: string;
  filter: { actor?: string; target?: string };
}) {
  const { view, call } = usePortal();
  const events = useQuery({
    queryKey: auditKeys.ofUser(view.tenant, filter),
    queryFn: ({ signal }) =>
      call("GET /v1/audit/events", { query: { ...filter, limit: "25" }, signal }),
  });
  return (
    <Card id={id} flush title={title}>
      <Loaded found={events} failed={t("The trail could not be loaded")} skeleton="m-4 h-32" flush>
        {(entries) =>
          entries.length > 0 ? (
            <ActivityTable label={t("{title}, newest first", { title })} events={entries} />
          ) : (
            <p className="p-4 text-body text-muted">{t("No entries.")}</p>
          )
        }
      </Loaded>
    </Card>
  );
}

function ActivityTable({ label, events }: { label: string; events: AuditEvent[] }) {
  const { view } = usePortal();
  return (
    <DataTable
      label={label}
      className="[--row:36px]"
      name="activity"
      heads={[t("When"), t("What happened"), t("From")]}
    >
      <tbody>
        {events.map((event) => (
          <Row key={event.id}>
            <Cell className="text-muted">
              <Instant at={event.occurredAt} />
            </Cell>
            <Cell className="max-w-160 truncate" card="text">
              <Sentence event={event} place={view} />
            </Cell>
            <Cell className="text-muted">{event.address ?? t("erased")}</Cell>
          </Row>
        ))}
      </tbody>
    </DataTable>
  );
}
