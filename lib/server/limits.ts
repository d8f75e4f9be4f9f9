/** What the door allows. Lengths are bytes, times milliseconds; tests shorten them. */
export const limits = {
  target: 8 * 1024,
  headers: 16 * 1024,
  /** What the parser itself stops at: room to answer 414 and 431 in JSON first, and less than one read, so that it sees the first line. */
  parser: 48 * 1024,
  /** The largest body any operation accepts; each operation has its own, smaller one. */
  body: 2 * 1024 * 1024,
  /** The rest of an unread body that is worth reading to keep the connection. */
  drain: 64 * 1024,
  inProgress: 1024,
  headersMs: 10_000,
  bodyMs: 30_000,
  handlerMs: 10_000,
  metricsHandlerMs: 15_000,
  keepAliveMs: 65_000,
  shutdownMs: 20_000,
  /** How often the time-outs are looked at. */
  sweepMs: 250,
};

export type Limits = typeof limits;
