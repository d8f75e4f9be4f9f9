import type { Plotted } from "./chart";
import { ChartSwatch } from "./chart-swatch";

interface ChartTooltipProps {
  isShown: boolean;
  at: number;
  times: number[];
  series: Plotted[];
  moment: (at: number) => string;
  format: (value: number) => string;
  isOpenEnded: boolean;
}

/** The values under the crosshair. */
export function ChartTooltip({
  isShown,
  at,
  times,
  series,
  moment,
  format,
  isOpenEnded,
}: ChartTooltipProps) {
  const index = times.indexOf(at);
  if (!isShown || index < 0) return null;
  const isOpen = isOpenEnded && index === times.length - 1;
  return (
    <div className="rounded-control bg-bg px-3 py-2 text-meta shadow-float">
      <p className="mb-1 font-medium">
        {moment(at)}
        {isOpen ? " (in progress)" : ""}
      </p>
      {series.map((one) => {
        const value = one.values[index] ?? null;
        return (
          <p key={one.key} className="flex items-center gap-2">
            <ChartSwatch color={one.color} dash={one.dash} />
            <span className="flex-1 pr-4 text-muted">{one.label}</span>
            <span className="figures">{value === null ? "no calls" : format(value)}</span>
          </p>
        );
      })}
    </div>
  );
}
