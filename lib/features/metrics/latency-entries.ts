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
