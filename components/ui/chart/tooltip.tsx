import type { Plotted } from "./shapes";
import { ChartSwatch, MarkerSign } from "./signs";

/** One line of a point's description. */
export interface PointRow {
  key: string;
  label: string;
  /** The formatted value, or a text when it is missing. */
  value: string;
  look?: Pick<Plotted, "color" | "dash">;
  isTotal?: boolean;
}

/** The description of a point: shown in the tooltip, and spoken when keys move along the points. */
export interface Point {
  title: string;
  rows: PointRow[];
  /** The markers of the point. */
  markers: string[];
}

/** The point as one sentence. */
export const spokenPoint = ({ title, rows, markers }: Point): string =>
  [`${title}.`, rows.map(({ label, value }) => `${label} ${value}`).join(", "), ...markers].join(
    " ",
  );

/** The values of the point under the pointer. Screen readers get the same from the chart's slider. */
export function ChartTooltip({ point: { title, rows, markers } }: { point: Point }) {
  return (
    <div
      aria-hidden="true"
      className="w-max max-w-[min(26rem,85vw)] rounded-control bg-bg px-3 py-2 text-meta shadow-float"
    >
      <p className="mb-1 font-medium">{title}</p>
      {rows.map(({ key, label, value, look, isTotal }) => (
        <p
          key={key}
          className={
            isTotal
              ? "mt-1 flex gap-2 border-t border-border pt-1 font-medium"
              : "flex items-center gap-2"
          }
        >
          {look ? <ChartSwatch {...look} /> : null}
          <span className="min-w-0 flex-1 truncate pr-4 text-muted">{label}</span>
          <span className="figures">{value}</span>
        </p>
      ))}
      {markers.map((text) => (
        <p key={text} className="mt-1 flex gap-2 text-accent">
          <MarkerSign className="mt-1.5" />
          <span className="min-w-0 text-pretty">{text}</span>
        </p>
      ))}
    </div>
  );
}
