const float = new Float32Array(1);
const bits = new Uint32Array(float.buffer);

/** Eight buckets to each doubling, from 1/16 ms to 65 s: a quantile is off by 6 % at most. */
const lowest = 123 * 8;
export const bucketCount = 160;

/** The bucket of a duration in milliseconds: the exponent and three bits of a float are the logarithm. */
export function bucketOf(ms: number): number {
  float[0] = ms;
  const bucket = ((bits[0] ?? 0) >>> 20) - lowest;
  return bucket < 0 ? 0 : bucket < bucketCount ? bucket : bucketCount - 1;
}

/** Milliseconds in the middle of a bucket. */
export function middleOf(bucket: number): number {
  const octave = 2 ** (Math.floor(bucket / 8) - 4);
  return Number((octave * (1 + ((bucket % 8) + 0.5) / 8)).toPrecision(3));
}

export const sumOf = (values: ArrayLike<number>) => {
  let sum = 0;
  for (let index = 0; index < values.length; index += 1) sum += values[index] ?? 0;
  return sum;
};

/** Written out: `Array.from` takes fifteen times as long for a typed array. */
export function toArray(values: Float64Array): number[] {
  const copied = new Array<number>(values.length);
  for (let index = 0; index < values.length; index += 1) copied[index] = values[index] ?? 0;
  return copied;
}

/** The duration that the share `quantile` (0..1) of the calls stays within; null without calls. */
export function quantileOf(calls: ArrayLike<number>, quantile: number): number | null {
  const sum = sumOf(calls);
  if (sum === 0) return null;
  const rank = Math.max(1, Math.ceil(quantile * sum));
  let seen = 0;
  for (let bucket = 0; bucket < calls.length; bucket += 1) {
    seen += calls[bucket] ?? 0;
    if (seen >= rank) return middleOf(bucket);
  }
  return null;
}

/**
 * How latencies are packed into the column `latency`, a bigint[] with one entry for each slot and bucket that has calls:
 *
 *    63               16 15        8 7         0
 *   +-------------------+-----------+-----------+
 *   |       calls       |   slot    |  bucket   |     entry = calls * 65536 + slot * 256 + bucket
 *   +-------------------+-----------+-----------+
 *                        \_______ place _______/
 *
 * A slot is the minute of the hour, the quarter of the day or the day of the month (0 to 95); a bucket is a duration
 * (0 to 159, see histogram.ts). 12 calls of 1 ms (bucket 32) in minute 5 of the hour: 12 * 65536 + 5 * 256 + 32 = 787744.
 * The function metric_fold of the database adds two such arrays by place. TypeScript multiplies where SQL shifts: a
 * number has 53 bits, the shift operators of JavaScript have 32.
 */
const callsUnit = 65_536;
const slotUnit = 256;

/** Slot and bucket as one number. */
export const encodePlace = (slot: number, bucket: number): number => slot * slotUnit + bucket;
export const slotOf = (place: number): number => place >> 8;
export const bucketIn = (place: number): number => place & 255;

export const encodeEntry = (place: number, calls: number): number => calls * callsUnit + place;
export const placeOf = (entry: number): number => entry % callsUnit;
export const callsOf = (entry: number): number => Math.floor(entry / callsUnit);

/** The same as SQL expressions. */
export const sqlPlace = (slot: string, bucket: string) => `${slot} * ${slotUnit} + ${bucket}`;
export const sqlEntry = (calls: string, place: string) => `${calls} * ${callsUnit} + ${place}`;
export const sqlPlaceOf = (entry: string) => `${entry} & ${callsUnit - 1}`;
export const sqlCallsOf = (entry: string) => `${entry} >> 16`;
