import { Badge, type BadgeTone } from "@/components/ui/badge";
import type { Preview } from "@/lib/features/previews/contract";

const stages: Record<NonNullable<Preview["stage"]>, { tone: BadgeTone; words: string }> = {
  draft: { tone: "neutral", words: "Draft" },
  staged: { tone: "accent", words: "Staged" },
  live: { tone: "success", words: "Live" },
};

/** The stage of a configuration, in one look. */
export function PreviewStage({ preview }: { preview: Pick<Preview, "stage" | "archivedAt"> }) {
  if (preview.archivedAt) return <Badge tone="warning">Archived</Badge>;
  if (!preview.stage) return <span className="text-muted">No stage</span>;
  const { tone, words } = stages[preview.stage];
  return (
    <Badge tone={tone} dot>
      {words}
    </Badge>
  );
}

export const counted = (count: number, one: string) => `${count} ${count === 1 ? one : `${one}s`}`;
