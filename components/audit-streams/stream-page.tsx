"use client";

import { useQuery } from "@tanstack/react-query";
import { Attempts } from "@/components/destinations/attempts";
import { DestinationHead } from "@/components/destinations/page";
import { DestinationState } from "@/components/destinations/table";
import { usePortal } from "@/components/shell/portal";
import { rich } from "@/components/texts/rich";
import { msg, t } from "@/components/texts/t";
import { Card, Facts } from "@/components/ui/card";
import { Instant } from "@/components/ui/instant";
import { Loaded } from "@/components/ui/loaded";
import { Notice } from "@/components/ui/notice";
import type { AuditStream } from "@/lib/features/destinations/audit-streams/contract";
import { StreamActions } from "./stream-actions";
import { useStreamQuery } from "./stream-queries";
import { kindNames, placeOf, StreamLag } from "./stream-state";

/** One audit stream: its destination, its progress, and its newest attempts. */
export function StreamPage({ id }: { id: string }) {
  const { view } = usePortal();
  const found = useQuery(useStreamQuery(id));
  return (
    <Loaded found={found} failed={t("The audit stream could not be loaded")} skeleton="h-96">
      {(stream) => (
        <>
          <DestinationHead
            above={{ label: t("Audit streams"), href: `/t/${view.tenant}/streams` }}
            place={placeOf(stream)}
            description={stream.description}
            actions={<StreamActions stream={stream} />}
          />
          <div className="flex flex-col gap-6">
            <Remark stream={stream} />
            <Missed stream={stream} />
            <Card title={t("Stream")} id="stream">
              <Facts facts={factsOf(stream)} />
            </Card>
            <Card
              title={t("Attempts")}
              description={t("The newest 20, each with the entries that it carried.")}
              id="attempts"
            >
              <Attempts
                attempts={stream.state.attempts}
                more={({ first, last }) => <EntryRange first={first} last={last} />}
              />
            </Card>
          </div>
        </>
      )}
    </Loaded>
  );
}

function EntryRange({ first, last }: { first: number; last: number }) {
  const text =
    first === last
      ? t("entry {first}", { first })
      : t("entries {first} to {last}", { first, last });
  return <span className="figures">{text}</span>;
}

function factsOf(stream: AuditStream) {
  const { kind, region, prefix, every, accessKeyId, createdAt, state } = stream;
  const own = [
    { name: t("Region"), value: region },
    { name: t("Prefix"), value: prefix },
    { name: t("Batch window"), value: every },
    { name: t("Access key"), value: accessKeyId },
  ];
  const delivered = state.deliveredAt
    ? rich("entry {position}, {when}", {
        position: state.position,
        when: <Instant at={state.deliveredAt} form="full" />,
      })
    : t("none yet");
  return [
    { name: t("Kind"), value: t(kindNames[kind]) },
    { name: t("Leads to"), value: <code className="text-meta">{placeOf(stream)}</code> },
    ...own.filter(({ value }) => value),
    {
      name: t("State"),
      value: <DestinationState destination={stream} failingSince={state.failingSince} />,
    },
    { name: t("Behind"), value: <StreamLag stream={stream} /> },
    { name: t("Last delivery"), value: delivered },
    { name: t("Created"), value: <Instant at={createdAt} form="full" /> },
  ];
}

const reasons = {
  "by-user": msg(
    "Somebody disabled this stream. It goes on after the last entry that was delivered once it is enabled.",
  ),
  failing: msg(
    "This stream was disabled because no delivery succeeded for three days. Repair the receiver, send a test, then enable it.",
  ),
  gone: msg("This stream was disabled because its URL answered 410 Gone."),
};

function Remark({ stream }: { stream: AuditStream }) {
  const { failingSince, nextAttemptAt, attempts } = stream.state;
  if (stream.disabledReason)
    return <Notice tone="warning">{t(reasons[stream.disabledReason])}</Notice>;
  if (!failingSince) return null;
  return (
    <Notice tone="warning">
      {rich("No delivery has succeeded since {when}. {problem} {next}", {
        when: <Instant at={failingSince} form="full" />,
        problem: attempts.at(-1)?.problem,
        next: nextAttemptAt
          ? rich("Next attempt: {when}.", { when: <Instant at={nextAttemptAt} form="full" /> })
          : null,
      })}
    </Notice>
  );
}

function Missed({ stream }: { stream: AuditStream }) {
  const { missed } = stream.state;
  if (!missed) return null;
  return (
    <Notice tone="warning">
      {rich(
        "Entries {first} to {last} were deleted by age before they were delivered, which was noticed {when}.",
        { first: missed.first, last: missed.last, when: <Instant at={missed.at} form="full" /> },
      )}
    </Notice>
  );
}
