import { Button } from "@/components/ui/button";
import { ChartSwatch } from "@/components/ui/chart-swatch";
import { classNames } from "@/components/ui/class-names";
import { Cell, HeadCell, Row, Table } from "@/components/ui/table";
import type { ChartSeries } from "./series";
import { changeWords } from "./summary";

interface LegendProps {
  series: ChartSeries[];
  off: string[];
  onOff: (off: string[]) => void;
  /** The calls of the previous period; null where there is none that was counted whole, absent where nothing is compared. */
  previous: number | null | undefined;
}

const whole = (value: number) => value.toLocaleString("en");
const shareOf = (part: number, all: number) =>
  all === 0
    ? ""
    : (part / all).toLocaleString("en", { style: "percent", maximumFractionDigits: 1 });
export const peakOf = (values: (number | null)[]) =>
  values.reduce<number>((most, value) => Math.max(most, value ?? 0), 0);

/** The legend of the calls, and the table of their totals. Switches series on and off, or shows only one. */
export function Legend({ series, off, onOff, previous }: LegendProps) {
  const total = series.reduce((sum, one) => sum + one.total, 0);
  return (
    <div className="border-t border-border">
      <Table label="Series" className="[--row:32px]">
        <thead>
          <tr>
            <HeadCell>Series</HeadCell>
            <HeadCell className="text-right">Calls</HeadCell>
            <HeadCell className="text-right">Share</HeadCell>
            <HeadCell className="text-right">Peak</HeadCell>
          </tr>
        </thead>
        <tbody>
          {series.map((one) => (
            <Row key={one.key}>
              <Cell className="max-w-0 w-full">
                <Switch one={one} series={series} off={off} onOff={onOff} />
              </Cell>
              <Cell className="figures text-right">{whole(one.total)}</Cell>
              <Cell className="figures text-right text-muted">{shareOf(one.total, total)}</Cell>
              <Cell className="figures text-right text-muted">{whole(peakOf(one.values))}</Cell>
            </Row>
          ))}
          {series.length > 1 || previous !== undefined ? (
            <Row className="font-medium">
              <Cell>Total</Cell>
              <Cell className="figures text-right">{whole(total)}</Cell>
              <Cell className="text-right font-normal text-muted" colSpan={2}>
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
  if (previous === null) return "no complete previous period";
  const change = changeWords(total, previous);
  return `previous ${whole(previous)}${change ? `, ${change}` : ""}`;
}

type SwitchProps = Omit<LegendProps, "previous"> & { one: ChartSeries };

/** A series' name, which switches it; beside it what shows it alone. */
function Switch({ one: { label, color, dash }, series, off, onOff }: SwitchProps) {
  const others = series.map((other) => other.label).filter((other) => other !== label);
  const isOff = off.includes(label);
  const isAlone = others.length > 0 && others.every((other) => off.includes(other));
  return (
    <span className="group/item flex items-center">
      <Button
        size="small"
        tone="quiet"
        aria-pressed={!isOff}
        onClick={() => onOff(isOff ? off.filter((other) => other !== label) : [...off, label])}
        className={classNames("-ml-2 min-w-0 shrink", isOff && "line-through")}
      >
        <ChartSwatch color={color} dash={dash} />
        <span className="min-w-0 truncate">{label}</span>
      </Button>
      {others.length > 0 ? (
        <Button
          size="small"
          tone="quiet"
          aria-label={isAlone ? "Show all series" : `Show only ${label}`}
          className="opacity-0 focus-visible:opacity-100 group-hover/item:opacity-100"
          onClick={() => onOff(isAlone ? [] : others)}
        >
          {isAlone ? "all" : "only"}
        </Button>
      ) : null}
    </span>
  );
}
