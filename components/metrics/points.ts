import { t } from "@/components/texts/t";
import type { Point, PointRow } from "@/components/ui/chart/tooltip";
import type { Figure } from "./figures";
import { changeWords } from "./summary";

const valueIn = (values: (number | null)[], index: number) => values[index] ?? null;

function totalRow({ series, inFull, isSummed }: Figure, index: number): PointRow[] {
  if (!isSummed || series.length < 2) return [];
  const sum = series.reduce((all, { values }) => all + (valueIn(values, index) ?? 0), 0);
  return [{ key: "~total", label: t("Total"), value: inFull(sum), isTotal: true }];
}

/** The value of the previous period at the same place, and the change from it. */
function previousRows({ series, background, inFull }: Figure, index: number): PointRow[] {
  return background.flatMap(({ key, label, color, dash, values }) => {
    const before = valueIn(values, index);
    if (before === null) return [];
    const sum = series.reduce((all, one) => all + (valueIn(one.values, index) ?? 0), 0);
    const change = changeWords(sum, before);
    const value = change ? `${inFull(before)} (${change})` : inFull(before);
    return [{ key, label, value, look: { color, dash } }];
  });
}

interface Shown {
  times: number[];
  isOpenEnded: boolean;
  moment: (at: number) => string;
  /** Titles of markers by the index of the bucket. */
  markers: ReadonlyMap<number, string[]>;
}

/** The description of a point of a chart, by the index of its bucket. */
export function pointsOf(figure: Figure, { times, isOpenEnded, moment, markers }: Shown) {
  return (index: number): Point => {
    const isOpen = isOpenEnded && index === times.length - 1;
    const rows = figure.series.map(({ key, label, color, dash, values }): PointRow => {
      const value = valueIn(values, index);
      const words = value === null ? figure.missing : figure.inFull(value);
      return { key, label, value: words, look: { color, dash } };
    });
    return {
      title: `${moment(times[index] ?? 0)}${isOpen ? t(" (in progress)") : ""}`,
      rows: [...rows, ...totalRow(figure, index), ...previousRows(figure, index)],
      markers: markers.get(index) ?? [],
    };
  };
}
