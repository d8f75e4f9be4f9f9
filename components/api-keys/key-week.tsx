import { number, t } from "@/components/texts/t";
import { Sparkline } from "@/components/ui/chart/sparkline";

/** How often a key was called in the days given. */
export const callsOf = (week: number[]) => week.reduce((sum, day) => sum + day, 0);

/** Calls of a key in the last 7 days. */
export function KeyWeek({ week }: { week: number[] | undefined }) {
  const calls = callsOf(week ?? []);
  if (!week || calls === 0) return <span className="text-muted">{t("none")}</span>;
  return (
    <Sparkline
      values={week}
      isOpenEnded
      label={t("{calls} calls in 7 days", { calls: number(calls) })}
      width={72}
      height={20}
    />
  );
}
