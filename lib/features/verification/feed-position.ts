/*
 * A position in the feed of revocations. It consists of two counters: the number of the newest audit entry and that of the newest
 * revocation of customers' tokens. Both are incremented by an UPDATE of the tenant's row, whose lock the writing transaction
 * holds until it commits. So their order is the commit order: a reader that has seen a number has seen every smaller one, and a
 * late commit cannot insert a smaller number that a reader would miss, as it could with a sequence or a time.
 *
 *   <audit seq>.<endings seq>.<subject>.<issued at, ms>
 *
 * The subject orders the revocations of one transaction, which share their number; "~" is after all of them.
 */

export const positionPattern = /^\d{1,15}\.\d{1,10}\.[0-9a-z_~]{0,64}\.\d{1,15}$/;

export interface FeedPosition {
  auditSeq: number;
  endingsSeq: number;
  subject: string;
}

/** A subject after every revocation of its number. */
export const lastSubject = "~";

/** The position in a text of `positionPattern`, and when it was issued. */
export function readPosition(text: string): FeedPosition & { issuedAt: number } {
  const [auditSeq = "", endingsSeq = "", subject = "", issuedAt = ""] = text.split(".");
  return {
    auditSeq: Number(auditSeq),
    endingsSeq: Number(endingsSeq),
    subject,
    issuedAt: Number(issuedAt),
  };
}

export const writePosition = ({ auditSeq, endingsSeq, subject }: FeedPosition, now: number) =>
  `${auditSeq}.${endingsSeq}.${subject}.${now}`;
