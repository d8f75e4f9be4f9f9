/** The length in bytes of the first response in `received`; 0 while it is incomplete. */
export function lengthOf(received: Buffer): number {
  const end = received.indexOf("\r\n\r\n");
  if (end === -1) return 0;
  const head = received.toString("latin1", 0, end);
  const length = /content-length: *(\d+)/i.exec(head)?.[1];
  if (length !== undefined)
    return received.length >= end + 4 + Number(length) ? end + 4 + Number(length) : 0;
  if (!/transfer-encoding: *chunked/i.test(head)) return end + 4;
  const isWhole = received
    .toString("latin1", Math.max(end + 2, received.length - 7))
    .endsWith("\r\n0\r\n\r\n");
  return isWhole ? received.length : 0;
}
