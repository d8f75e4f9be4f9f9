import { rich } from "@/components/texts/rich";
import { type Message, msg, t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { classNames } from "@/components/ui/class-names";
import { Instant } from "@/components/ui/instant";
import type { PreviewRevision } from "@/lib/features/previews/contract";

const origins: Record<PreviewRevision["via"], Message> = {
  portal: msg("in the portal"),
  session: msg("by a session"),
  apiKey: msg("by an API key"),
  bearer: msg("by a bearer token"),
  release: msg("in a release"),
};

interface RevisionListProps {
  revisions: PreviewRevision[];
  chosen: number;
  onChoose: (n: number) => void;
  more: (() => void) | undefined;
}

export function RevisionList({ revisions, chosen, onChoose, more }: RevisionListProps) {
  return (
    <div className="rounded-card border border-border bg-bg">
      <ol aria-label={t("Versions, newest first")} className="max-h-[32rem] overflow-y-auto p-1">
        {revisions.map((revision) => (
          <li key={revision.n}>
            <button
              type="button"
              aria-current={revision.n === chosen ? "true" : undefined}
              className={classNames(
                "w-full rounded-control px-3 py-2 text-start -outline-offset-2",
                revision.n === chosen ? "bg-accent-bg" : "hover:bg-subtle",
              )}
              onClick={() => onChoose(revision.n)}
            >
              <span className="font-medium">{t("Version {n}", { n: revision.n })}</span>
              <span className="block text-meta text-muted">
                {rich("{when} by {login}, {origin}", {
                  when: <Instant at={revision.at} />,
                  login: revision.by.login,
                  origin: t(origins[revision.via]),
                })}
              </span>
            </button>
          </li>
        ))}
      </ol>
      {more ? (
        <div className="border-t border-border p-2">
          <Button size="small" tone="quiet" onClick={more}>
            {t("Show earlier versions")}
          </Button>
        </div>
      ) : null}
    </div>
  );
}
