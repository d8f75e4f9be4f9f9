/** What the server allows. Lengths are bytes, times milliseconds; tests shorten them. */
export const limits = {
  target: 8 * 1024,
  headers: 16 * 1024,
  /** The parser's own limit: larger, so that 414 and 431 are sent in JSON first, and less than one read, so that it gets the first line. */
  parser: 48 * 1024,
  /** The largest body that is read as a whole; each operation has its own, smaller one. */
  body: 2 * 1024 * 1024,
  /** The largest rest of an unread body that is read to keep the connection. */
  drain: 64 * 1024,
  /** Requests in progress whose body has arrived. */
  inProgress: 2048,
  /** Requests whose body is still arriving: beyond it the slowest one is closed. */
  arrivingBodies: 1024,
  /** How long a request waits until its class has room. */
  queueMs: 1000,
  connections: 10_000,
  /** Connections of one address; an IPv6 /48 may have four times as many. */
  connectionsPerAddress: 256,
  requestsPerAddress: 256,
  /** Requests without a valid credential in each window. */
  anonymousPerMinute: 600,
  anonymousWindowMs: 60_000,
  /** A body that arrives more slowly, in bytes a second, is rejected after the grace period. */
  minBodyRate: 1024,
  bodyGraceMs: 5000,
  headersMs: 10_000,
  bodyMs: 30_000,
  /** Timeout of a body that its operation reads line by line, and its minimum rate. */
  streamMs: 3_600_000,
  minStreamRate: 16 * 1024,
  handlerMs: 10_000,
  metricsHandlerMs: 15_000,
  keepAliveMs: 65_000,
  shutdownMs: 20_000,
  /** Interval of the timeout checks. */
  sweepMs: 250,
};

export type Limits = typeof limits;

/**
 * Connections that wait to be accepted. Clients beyond this number retry after 1, 3, 7 and 15 seconds: a burst of a thousand would exceed the
 * default of 511. Each listener on a copy of the socket sets it again, because the last value holds for all of them.
 */
export const backlog = 4096;
