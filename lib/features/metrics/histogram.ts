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

/** The duration that the share `quantile` (0..1) of the calls stays within; null without calls. */
export function quantileOf(calls: ArrayLike<number>, quantile: number): number | null {
  let sum = 0;
  for (let bucket = 0; bucket < calls.length; bucket += 1) sum += calls[bucket] ?? 0;
  if (sum === 0) return null;
  const rank = Math.max(1, Math.ceil(quantile * sum));
  let seen = 0;
  for (let bucket = 0; bucket < calls.length; bucket += 1) {
    seen += calls[bucket] ?? 0;
    if (seen >= rank) return middleOf(bucket);
  }
  return null;
}
