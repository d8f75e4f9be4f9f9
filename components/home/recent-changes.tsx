import { t } from "@/components/texts/t";
import { Card } from "@/components/ui/card";
import { Instant } from "@/components/ui/instant";
import { Link } from "@/components/ui/link";
import type { AuditEvent } from "@/lib/features/audit/contract";

interface RecentChangesProps {
  tenant: string;
  events: AuditEvent[];
}

/** The newest entries of the trail, for who may read it. */
export function RecentChanges({ tenant, events }: RecentChangesProps) {
  if (events.length === 0) return null;
  return (
    <Card
      title={t("Recent changes")}
      id="recent-changes"
      flush
      actions={
        <Link
          href={`/t/${tenant}/audit`}
          className="rounded-[3px] text-body font-medium text-accent underline-offset-4 hover:underline"
        >
          {t("Audit trail")}
        </Link>
      }
    >
      <ul>
        {events.map(({ id, action, actor, target, occurredAt }) => (
          <li
            key={id}
            className="flex flex-wrap gap-x-3 gap-y-0.5 border-b border-border px-4 py-2 last:border-b-0"
          >
            <code className="text-meta leading-5">{action}</code>
            <span className="min-w-0 flex-1 basis-40 truncate text-muted">
              {t("{type} {name}, by {login}", {
                type: target.type,
                name: target.name ?? target.id,
                login: actor.login ?? actor.id,
              })}
            </span>
            <span className="text-muted">
              <Instant at={occurredAt} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
