import { Button } from "@/components/ui/button";
import { ChartSwatch } from "@/components/ui/chart-swatch";
import { classNames } from "@/components/ui/class-names";
import type { ChartSeries } from "./series";
import { shortNumber } from "./summary";

interface LegendProps {
  series: ChartSeries[];
  off: string[];
  onOff: (off: string[]) => void;
}

/** Switches series on and off, or shows only one; each is a button, so keys do what the pointer does. */
export function Legend({ series, off, onOff }: LegendProps) {
  const toggle = (label: string) =>
    onOff(off.includes(label) ? off.filter((one) => one !== label) : [...off, label]);
  const others = (label: string) => series.map((one) => one.label).filter((one) => one !== label);
  const isAlone = (label: string) =>
    others(label).every((one) => off.includes(one)) && series.length > 1;
  return (
    <ul aria-label="Series" className="flex flex-wrap gap-x-1 gap-y-1 px-4 pb-3">
      {series.map(({ key, label, color, dash, total }) => (
        <li
          key={key}
          className="group/item inline-grid max-w-full grid-cols-[minmax(0,auto)_auto] items-center"
        >
          <Button
            size="small"
            tone="quiet"
            aria-pressed={!off.includes(label)}
            onClick={() => toggle(label)}
            className={classNames("min-w-0", off.includes(label) && "line-through")}
          >
            <ChartSwatch color={color} dash={dash} />
            <span className="min-w-0 truncate">{label}</span>
            {total > 0 ? <span className="figures font-normal">{shortNumber(total)}</span> : null}
          </Button>
          {series.length > 1 ? (
            <Button
              size="small"
              tone="quiet"
              aria-label={isAlone(label) ? "Show all series" : `Show only ${label}`}
              className="opacity-0 focus-visible:opacity-100 group-hover/item:opacity-100"
              onClick={() => onOff(isAlone(label) ? [] : others(label))}
            >
              {isAlone(label) ? "all" : "only"}
            </Button>
          ) : null}
        </li>
      ))}
    </ul>
  );
}
