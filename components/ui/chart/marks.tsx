import { barsPath, layerPath, linePath, pointsPath, type Spot } from "./shapes";

/** The look of a series. */
export interface Look {
  key: string;
  form: "line" | "layer" | "bar";
  color: string;
  dash: string;
  isFaint: boolean;
}

interface MarkProps {
  look: Look;
  spots: readonly Spot[];
  /** The last bucket is incomplete: the part up to it is dotted or pale. */
  isOpenEnded: boolean;
  /** The width of a bar. */
  bar: number;
}

/** The values of some buckets; the others are gaps. */
const only = (spots: readonly Spot[], isKept: (index: number) => boolean): Spot[] =>
  spots.map((spot, index) => (isKept(index) ? spot : { ...spot, y: null }));

/** A series as one shape: its complete buckets, isolated values, and the part up to the incomplete bucket. */
export function Mark({ look, spots, isOpenEnded, bar }: MarkProps) {
  const last = spots.length - 1;
  const isSplit = isOpenEnded && last > 0;
  const closed = isSplit ? only(spots, (index) => index < last) : spots;
  const alone = pointsPath(spots);
  const reach = look.form === "bar" ? last : last - 1;
  return (
    <g data-series={look.key} fill="none">
      <Closed {...{ look, spots: closed, bar }} />
      {isSplit ? <Open {...{ look, spots: only(spots, (index) => index >= reach), bar }} /> : null}
      {look.form !== "bar" && alone ? (
        <path d={alone} stroke={look.color} strokeWidth={5} strokeLinecap="round" />
      ) : null}
    </g>
  );
}

type PartProps = Omit<MarkProps, "isOpenEnded">;

/** Layers and bars solid, lines with their own dash. */
function Closed({ look: { form, color, dash, isFaint }, spots, bar }: PartProps) {
  if (form === "bar") return <path d={barsPath(spots, bar)} fill={color} />;
  const line = { d: linePath(spots), stroke: color };
  if (form === "line")
    return <path {...line} strokeWidth={isFaint ? 1 : 1.5} strokeDasharray={dash} />;
  return (
    <>
      <path d={layerPath(spots)} fill={color} fillOpacity={0.55} />
      <path {...line} strokeWidth={1} />
    </>
  );
}

function Open({ look: { form, color }, spots, bar }: PartProps) {
  const dotted = { stroke: color, strokeWidth: 1.5, strokeDasharray: "1 4" };
  if (form === "bar")
    return <path d={barsPath(spots, bar)} fill={color} fillOpacity={0.3} {...dotted} />;
  return (
    <>
      {form === "layer" ? <path d={layerPath(spots)} fill={color} fillOpacity={0.15} /> : null}
      <path d={linePath(spots)} {...dotted} />
    </>
  );
}

/** A range from the bottom to the top of the plot. */
export const Span = ({ spots }: Pick<MarkProps, "spots">) => (
  <path d={layerPath(spots)} fill="var(--danger)" fillOpacity={0.2} />
);
