import type { FeedPosition } from "./rows";

/*
 * A position in the form of an event's id, which `after` takes too:
 *
 *     evt_z 000000000007 0000000000015     audit entry 7, event 41, each in base 36
 *
 * The id of an event never begins with z: 26 characters of five bits hold 128.
 */
const [auditDigits, eventDigits] = [12, 13];
const start = "evt_z";

const digits = (value: number, length: number) => value.toString(36).padStart(length, "0");

export const writePosition = ({ auditSeq, eventSeq }: FeedPosition): string =>
  `${start}${digits(auditSeq, auditDigits)}${digits(eventSeq, eventDigits)}`;

/** The position that the text holds; undefined for the id of an event. */
export function readPosition(text: string): FeedPosition | undefined {
  if (!text.startsWith(start)) return undefined;
  const [auditSeq, eventSeq] = [
    text.slice(start.length, start.length + auditDigits),
    text.slice(start.length + auditDigits),
  ].map((part) => Math.min(Number.parseInt(part, 36), Number.MAX_SAFE_INTEGER));
  return { auditSeq: auditSeq ?? 0, eventSeq: eventSeq ?? 0 };
}
