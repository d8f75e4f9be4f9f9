import { Sentence } from "@/components/audit/sentence";
import { t } from "@/components/texts/t";
import { Card } from "@/components/ui/card";
import { Instant } from "@/components/ui/instant";
import { Link } from "@/components/ui/link";
import type { AuditEvent } from "@/lib/features/audit/contract";

interface RecentChangesProps {
  place: Parameters<typeof Sentence>[0]["place"];
  events: AuditEvent[];
}

/** The newest audit entries, for users who may read them. */
export function RecentChanges({ place, events }: RecentChangesProps) {
  if (events.length === 0) return null;
  return (
    <Card
      title={t("Recent changes")}
      id="recent-changes"
      flush
      actions={
        <Link
          href={`/t/${place.tenant}/audit`}
          className="rounded-[3px] text-body font-medium text-accent underline-offset-4 hover:underline"
        >
          {t("Audit trail")}
        </Link>
      }
    >
      <ul>
        {events.map((event) => (
          <li
            key={event.id}
            className="flex flex-wrap gap-x-3 gap-y-0.5 border-b border-border px-4 py-2 last:border-b-0"
          >
            <span className="min-w-0 flex-1 basis-56 wrap-anywhere">
              <Sentence event={event} place={place} />
            </span>
            <span className="text-muted">
              <Instant at={event.occurredAt} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
