/** What the server allows. Lengths are bytes, times milliseconds; tests shorten them. */
export const limits = {
  target: 8 * 1024,
  headers: 16 * 1024,
  /** What the parser itself stops at: room to answer 414 and 431 in JSON first, and less than one read, so that it sees the first line. */
  parser: 48 * 1024,
  /** The largest body that is read as a whole; each operation has its own, smaller one. */
  body: 2 * 1024 * 1024,
  /** The rest of an unread body that is worth reading to keep the connection. */
  drain: 64 * 1024,
  /** Requests that somebody works for. */
  inProgress: 2048,
  /** Requests whose body is still on its way: beyond it the one that is furthest behind is cut off. */
  arrivingBodies: 1024,
  /** How long a request waits until its class has room. */
  queueMs: 1000,
  connections: 10_000,
  /** Of one address; a /48 of IPv6 may use four times as much. */
  connectionsPerAddress: 256,
  requestsPerAddress: 256,
  /** Requests without a valid credential in each window. */
  anonymousPerMinute: 600,
  anonymousWindowMs: 60_000,
  /** A body that arrives more slowly, in bytes a second, is given up after the grace. */
  minBodyRate: 1024,
  bodyGraceMs: 5000,
  headersMs: 10_000,
  bodyMs: 30_000,
  /** For a body that its operation reads line by line, and its least rate. */
  streamMs: 3_600_000,
  minStreamRate: 16 * 1024,
  handlerMs: 10_000,
  metricsHandlerMs: 15_000,
  keepAliveMs: 65_000,
  shutdownMs: 20_000,
  /** How often the time-outs are looked at. */
  sweepMs: 250,
};

export type Limits = typeof limits;

/**
 * Connections that wait to be accepted. Of more than these the client repeats its attempt after 1, 3, 7 and 15 seconds: a burst of a
 * thousand would find the default of 511 full. Each listener on a copy of the socket sets it again, because the last value holds for all of them.
 */
export const backlog = 4096;
