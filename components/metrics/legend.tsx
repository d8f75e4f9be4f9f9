import { number, t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { ChartSwatch } from "@/components/ui/chart/signs";
import { classNames } from "@/components/ui/class-names";
import { Cell, HeadCell, Row, Table } from "@/components/ui/table/table";
import type { ChartSeries } from "./series";
import { changeWords } from "./summary";

interface LegendProps {
  series: ChartSeries[];
  off: string[];
  onOff: (off: string[]) => void;
  /** The calls of the previous period; null when it was not counted completely, absent without a comparison. */
  previous: number | null | undefined;
}

const whole = (value: number) => number(value);
const shareOf = (part: number, all: number) =>
  all === 0 ? "" : number(part / all, { style: "percent", maximumFractionDigits: 1 });
export const peakOf = (values: (number | null)[]) =>
  values.reduce<number>((most, value) => Math.max(most, value ?? 0), 0);

/** The legend of the calls, and the table of their totals. Switches series on and off, or shows only one. */
export function Legend({ series, off, onOff, previous }: LegendProps) {
  const total = series.reduce((sum, one) => sum + one.total, 0);
  return (
    <div className="border-t border-border">
      <Table label={t("Series")} className="[--row:32px]">
        <thead>
          <tr>
            <HeadCell>{t("Series")}</HeadCell>
            <HeadCell className="text-end">{t("Calls")}</HeadCell>
            <HeadCell className="text-end">{t("Share##of all")}</HeadCell>
            <HeadCell className="text-end">{t("Peak")}</HeadCell>
          </tr>
        </thead>
        <tbody>
          {series.map((one) => (
            <Row key={one.key}>
              <Cell className="max-w-0 w-full">
                <Switch one={one} series={series} off={off} onOff={onOff} />
              </Cell>
              <Cell className="figures text-end">{whole(one.total)}</Cell>
              <Cell className="figures text-end text-muted">{shareOf(one.total, total)}</Cell>
              <Cell className="figures text-end text-muted">{whole(peakOf(one.values))}</Cell>
            </Row>
          ))}
          {series.length > 1 || previous !== undefined ? (
            <Row className="font-medium">
              <Cell>{t("Total")}</Cell>
              <Cell className="figures text-end">{whole(total)}</Cell>
              <Cell className="text-end font-normal text-muted" colSpan={2}>
                {versus(total, previous)}
              </Cell>
            </Row>
          ) : null}
        </tbody>
      </Table>
    </div>
  );
}

function versus(total: number, previous: number | null | undefined): string {
  if (previous === undefined) return "";
  if (previous === null) return t("no complete previous period");
  const change = changeWords(total, previous);
  return change
    ? t("previous {previous}, {change}", { previous: whole(previous), change })
    : t("previous {previous}", { previous: whole(previous) });
}

type SwitchProps = Omit<LegendProps, "previous"> & { one: ChartSeries };

/** The name of a series, which toggles it, and a button that shows only this series. */
function Switch({ one, series, off, onOff }: SwitchProps) {
  const { key, label, color, dash } = one;
  const others = series.map((other) => other.key).filter((other) => other !== key);
  const isOff = off.includes(key);
  const isAlone = others.length > 0 && others.every((other) => off.includes(other));
  return (
    <span className="group/item flex items-center">
      <Button
        size="small"
        tone="quiet"
        aria-pressed={!isOff}
        onClick={() => onOff(isOff ? off.filter((other) => other !== key) : [...off, key])}
        className={classNames("-ms-2 min-w-0 shrink", isOff && "line-through")}
      >
        <ChartSwatch color={color} dash={dash} />
        <span className="min-w-0 truncate" title={key}>
          {label}
        </span>
      </Button>
      {others.length > 0 ? (
        <Button
          size="small"
          tone="quiet"
          aria-label={isAlone ? t("Show all series") : t("Show only {label}", { label })}
          className="opacity-0 focus-visible:opacity-100 group-hover/item:opacity-100"
          onClick={() => onOff(isAlone ? [] : others)}
        >
          {isAlone ? t("all") : t("only")}
        </Button>
      ) : null}
    </span>
  );
}
