import { type Message, msg, t } from "@/components/texts/t";
import { Badge, type BadgeTone } from "@/components/ui/badge";
import type { Preview } from "@/lib/features/previews/contract";

const stages: Record<NonNullable<Preview["stage"]>, { tone: BadgeTone; words: Message }> = {
  draft: { tone: "neutral", words: msg("Draft") },
  staged: { tone: "accent", words: msg("Staged") },
  live: { tone: "success", words: msg("Live") },
};

/** The name of a stage, or a text for none. */
export const stageName = (stage: Preview["stage"]) =>
  t(stage ? stages[stage].words : msg("No stage"));

/** The stage of a configuration as a badge. */
export function PreviewStage({ preview }: { preview: Pick<Preview, "stage" | "archivedAt"> }) {
  if (preview.archivedAt) return <Badge tone="warning">{t("Archived")}</Badge>;
  if (!preview.stage) return <span className="text-muted">{stageName(undefined)}</span>;
  const { tone, words } = stages[preview.stage];
  return (
    <Badge tone={tone} dot>
      {t(words)}
    </Badge>
  );
}

export const counted = (count: number, one: string) => `${count} ${count === 1 ? one : `${one}s`}`;
