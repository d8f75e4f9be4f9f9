import { type CSSProperties, memo, type ReactNode } from "react";
import { type Drawing, plotArea } from "./drawing";
import { endPlaces, endRoomOf, stub } from "./end-labels";
import { Mark, Span } from "./marks";
import { barWidth, scaleOf, spotsOf } from "./shapes";

/**
 * The picture that the server sends: series as paths that are stretched to the width, which the
 * server does not know, and unstretched text in HTML over them. Container queries hide what the width has no room for.
 */

/** The units of the width. */
const widthUnits = 1000;

/** The class names that show an element only in the width class at the same index of `widthClasses`. */
export const inClass = [
  "@min-[280px]:hidden",
  "hidden @min-[280px]:block @min-[400px]:hidden",
  "hidden @min-[400px]:block @min-[640px]:hidden",
  "hidden @min-[640px]:block @min-[960px]:hidden",
  "hidden @min-[960px]:block",
];
export const fromClass = [
  "",
  "hidden @min-[280px]:block",
  "hidden @min-[400px]:block",
  "hidden @min-[640px]:block",
  "hidden @min-[960px]:block",
];
export const roomFromClass = [
  "right-(--ends)",
  "right-5 @min-[280px]:right-(--ends)",
  "right-5 @min-[400px]:right-(--ends)",
  "right-5 @min-[640px]:right-(--ends)",
  "right-5 @min-[960px]:right-(--ends)",
];

const percent = (share: number) => `${(share * 100).toFixed(3)}%`;

/** The plot area of a chart of any width. */
export function PlotArea({ drawing, children }: { drawing: Drawing; children: ReactNode }) {
  const { left, top, right, bottom } = drawing;
  const ends = endRoomOf(drawing);
  return (
    <div
      className={`absolute ${ends ? roomFromClass[ends.fromClass] : ""}`}
      style={
        {
          ...{ left, top, bottom },
          ...(ends ? { "--ends": `${ends.width}px` } : { right }),
        } as CSSProperties
      }
    >
      {children}
    </div>
  );
}

interface PictureProps {
  drawing: Drawing;
}

export const Picture = memo(({ drawing }: PictureProps) => (
  <PlotArea drawing={drawing}>
    <Paths drawing={drawing} />
    <Texts drawing={drawing} />
  </PlotArea>
));

function Paths({ drawing }: PictureProps) {
  const { places, max, series, isOpenEnded, values, threshold, spans = [], hasFloor } = drawing;
  const height = plotArea(drawing);
  const scale = scaleOf({ left: 0, top: 0, width: widthUnits, height }, places, max);
  const x = (at: number) => ((at - places.from) / (places.to - places.from)) * widthUnits;
  const lines = [...values.map(({ value }) => scale.y(value)), ...(hasFloor ? [height] : [])];
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${widthUnits} ${height}`}
      preserveAspectRatio="none"
      className="absolute inset-0 h-full w-full overflow-visible [&_path]:[vector-effect:non-scaling-stroke]"
    >
      <path d={lines.map((y) => `M0,${y}h${widthUnits}`).join("")} stroke="var(--border)" />
      {spans.map(({ from, to }) => (
        <Span key={from} spots={[from, to].map((at) => ({ x: x(at), y: 0, base: height }))} />
      ))}
      {series.map((one) => (
        <Mark
          key={one.key}
          look={one}
          spots={spotsOf(scale, one)}
          isOpenEnded={isOpenEnded}
          bar={barWidth(widthUnits, places.at.length)}
        />
      ))}
      {threshold === undefined ? null : (
        <path
          d={`M0,${scale.y(threshold)}h${widthUnits}`}
          stroke="var(--danger)"
          strokeDasharray="4 3"
          strokeWidth={1.5}
        />
      )}
    </svg>
  );
}

/** Names at the ends, round times and round values, in the order of recharts; none for a chart without axes. */
function Texts({ drawing }: PictureProps) {
  const { places, max, values, times } = drawing;
  const height = plotArea(drawing);
  const x = (index: number) =>
    percent(((places.at[index] ?? 0) - places.from) / (places.to - places.from));
  return (
    <div className="text-[12px] leading-[15px] whitespace-nowrap text-muted">
      <Ends drawing={drawing} />
      {times.map((ticks, index) => (
        <div key={inClass[index]} className={inClass[index]}>
          {ticks.map((tick) => (
            <span
              key={tick.index}
              className="absolute top-full -translate-x-1/2 pt-1.5"
              style={{ left: x(tick.index) }}
            >
              {tick.label}
            </span>
          ))}
        </div>
      ))}
      {values.map(({ value, label }) => (
        <span
          key={value}
          className="absolute right-full -translate-y-1/2 pr-2"
          style={{ top: height - (value / max) * height }}
        >
          {label}
        </span>
      ))}
    </div>
  );
}

/** The name of each series next to its end, in its colour and dash. */
function Ends({ drawing }: PictureProps) {
  const room = endRoomOf(drawing);
  if (!room) return null;
  return (
    <div className={fromClass[room.fromClass]}>
      {endPlaces(drawing).map(({ label, color, dash, y }) => (
        <span
          key={label}
          className="absolute left-full flex -translate-y-1/2 items-center gap-1 pl-1 text-text"
          style={{ top: y }}
        >
          <svg aria-hidden="true" width={stub} height="4" className="shrink-0">
            <line x2={stub} y1="2" y2="2" stroke={color} strokeWidth="2.5" strokeDasharray={dash} />
          </svg>
          {label}
        </span>
      ))}
    </div>
  );
}
