import { t } from "@/components/texts/t";
import { localInput } from "@/components/ui/instant-words";

const day = 86_400_000;
const maxCalmDays = 180;

export interface ExpiryWarning {
  words: string;
  /** A better end, as a datetime-local input wants it. */
  better?: string;
}

/** The Monday after a day of the weekend, at ten by the reader's clock: somebody is there when the key ends. */
function mondayAfter(end: Date): Date {
  const monday = new Date(end);
  monday.setDate(end.getDate() + (end.getDay() === 6 ? 2 : 1));
  monday.setHours(10, 0, 0, 0);
  return monday;
}

/** What should be thought of before a key ends at this instant, by the reader's calendar. */
export function expiryWarnings(end: Date, now: number): ExpiryWarning[] {
  const days = (end.getTime() - now) / day;
  const isWeekend = end.getDay() === 0 || end.getDay() === 6;
  return [
    ...(days > 0 && days < 7 - 1 / 24
      ? [{ words: t("It ends in less than a week: plan now who replaces it.") }]
      : []),
    ...(days > maxCalmDays
      ? [
          {
            words: t(
              "It is valid for more than 180 days: whoever finds it can use it that long. A shorter one and rotation are safer.",
            ),
          },
        ]
      : []),
    ...(isWeekend
      ? [
          {
            words:
              end.getDay() === 6
                ? t("It ends on a Saturday, when few people notice.")
                : t("It ends on a Sunday, when few people notice."),
            better: localInput(mondayAfter(end)),
          },
        ]
      : []),
  ];
}
