import type { ChartKind, Plotted } from "./shapes";
import {
  aloneIn,
  barsPath,
  type Layer,
  layerPath,
  layersOf,
  linePath,
  type Scale,
  type Values,
} from "./shapes";

interface MarksProps {
  kind: ChartKind;
  series: Plotted[];
  /** The last bucket is not over yet. */
  isOpenEnded: boolean;
  scale: Scale;
}

const isLine = (kind: ChartKind, { isFaint }: Plotted) => kind === "line" || isFaint === true;

/** The values of some buckets; the others are gaps. */
const only = (values: Values, isKept: (index: number) => boolean): Values =>
  values.map((value, index) => (isKept(index) ? value : null));

/** Every series; what reaches into the bucket that is not over comes last, dotted or pale. */
export function Marks({ kind, series, isOpenEnded, scale }: MarksProps) {
  const stacked = series.filter((one) => !isLine(kind, one));
  const layers = new Map(
    layersOf(stacked.map(({ values }) => values)).map((layer, index) => [stacked[index], layer]),
  );
  const layerOf = (one: Plotted): Layer => layers.get(one) ?? { low: [], high: one.values };
  const count = series[0]?.values.length ?? 0;
  const isSplit = isOpenEnded && count > 1;
  return (
    <g fill="none">
      {series.map((one) => (
        <Mark
          key={one.key}
          {...{ kind, one, scale }}
          layer={{
            ...layerOf(one),
            high: only(layerOf(one).high, (index) => !isSplit || index < count - 1),
          }}
        />
      ))}
      {isSplit
        ? series.map((one) => (
            <OpenMark
              key={one.key}
              {...{ kind, one, scale }}
              layer={{
                ...layerOf(one),
                high: only(
                  layerOf(one).high,
                  (index) => index >= count - (isBar(kind, one) ? 1 : 2),
                ),
              }}
            />
          ))
        : null}
    </g>
  );
}

const isBar = (kind: ChartKind, one: Plotted) => kind === "bar" && !isLine(kind, one);

interface MarkProps {
  kind: ChartKind;
  one: Plotted;
  layer: Layer;
  scale: Scale;
}

/** A series as its chart's kind draws it: layers and bars solid, lines with a dash of their own. */
function Mark({ kind, one, layer, scale }: MarkProps) {
  const { color, dash, isFaint } = one;
  if (isBar(kind, one)) return <path d={barsPath(scale, layer)} fill={color} />;
  const isLayer = !isLine(kind, one);
  const width = isLayer || isFaint ? 1 : 1.5;
  return (
    <>
      {isLayer ? <path d={layerPath(scale, layer)} fill={color} fillOpacity={0.55} /> : null}
      <path
        d={linePath(scale, layer.high)}
        stroke={color}
        strokeWidth={width}
        strokeDasharray={isLayer ? undefined : dash}
      />
      {aloneIn(one.values).map((index) => {
        const value = layer.high[index] ?? null;
        return value === null ? null : (
          <circle key={index} cx={scale.x(index)} cy={scale.y(value)} r={2.5} fill={color} />
        );
      })}
    </>
  );
}

/** The part of a series that reaches into the bucket that is not over. */
function OpenMark({ kind, one, layer, scale }: MarkProps) {
  const { color } = one;
  const dotted = { stroke: color, strokeWidth: 1.5, strokeDasharray: "1 4" } as const;
  if (isBar(kind, one))
    return <path d={barsPath(scale, layer)} fill={color} fillOpacity={0.3} {...dotted} />;
  return (
    <>
      {isLine(kind, one) ? null : (
        <path d={layerPath(scale, layer)} fill={color} fillOpacity={0.15} />
      )}
      <path d={linePath(scale, layer.high)} {...dotted} />
    </>
  );
}
