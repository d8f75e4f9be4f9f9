import { t } from "@/components/texts/t";
import { bandName, bandStarts, percent } from "./heatmap";

interface HeatmapPlotProps {
  shares: readonly (number[] | null)[];
  /** The description for screen readers. */
  label: string;
  /** The first, middle and last time. */
  ticks: string[];
}

/** The opacity of a cell by its minimum share. */
const levels = [
  { from: 0.02, opacity: 0.14 },
  { from: 0.1, opacity: 0.32 },
  { from: 0.25, opacity: 0.55 },
  { from: 0.5, opacity: 0.78 },
  { from: 0.75, opacity: 1 },
] as const;

const rowHeight = 22;
const height = bandStarts.length * rowHeight;

/** The cells of one strength as one path: a long range has thousands. */
function cellsOf(shares: HeatmapPlotProps["shares"], level: number): string {
  const [least, most] = [levels[level]?.from ?? 0, levels[level + 1]?.from ?? 2];
  return shares
    .flatMap((bands, column) =>
      (bands ?? []).map((share, band) => {
        const y = (bandStarts.length - 1 - band) * rowHeight;
        return share >= least && share < most ? `M${column} ${y}h1v${rowHeight}h-1z` : "";
      }),
    )
    .join("");
}

/** Time from left to right, latency upwards; the stronger a cell, the larger its share of the calls at that time. */
export function HeatmapPlot({ shares, label, ticks }: HeatmapPlotProps) {
  return (
    <div
      dir="ltr"
      className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 px-4 text-meta text-muted"
    >
      <ol aria-hidden="true" className="flex flex-col-reverse">
        {bandStarts.map((start, band) => (
          <li
            key={start}
            className="figures whitespace-nowrap text-end"
            style={{ height: rowHeight, lineHeight: `${rowHeight}px` }}
          >
            {bandName(band)}
          </li>
        ))}
      </ol>
      <svg
        role="img"
        aria-label={label}
        viewBox={`0 0 ${Math.max(1, shares.length)} ${height}`}
        preserveAspectRatio="none"
        className="w-full rounded-control border border-border bg-surface"
        style={{ height }}
      >
        {levels.map(({ opacity }, level) => (
          <path
            key={opacity}
            d={cellsOf(shares, level)}
            fill="var(--chart-1)"
            fillOpacity={opacity}
            shapeRendering="crispEdges"
          />
        ))}
      </svg>
      <span />
      <p aria-hidden="true" className="figures mt-1 flex justify-between gap-2">
        {ticks.map((tick) => (
          <span key={tick}>{tick}</span>
        ))}
      </p>
      <span />
      <Levels />
    </div>
  );
}

function Levels() {
  return (
    <p aria-hidden="true" className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1">
      {t("Share of the calls:")}
      {levels.map(({ from, opacity }) => (
        <span key={from} className="figures inline-flex items-center gap-1">
          <span
            className="size-3 rounded-[2px] border border-border forced-color-adjust-none"
            style={{ backgroundColor: "var(--chart-1)", opacity }}
          />
          {t("from {percent}", { percent: percent(from) })}
        </span>
      ))}
    </p>
  );
}
