import type { Trace } from "@/lib/protocol/tracing";
import type { Connection } from "./connection";

export type Rows = readonly unknown[];

/** A queued statement: on one connection or, once that one stalled, on two. */
export interface Asked {
  name: string;
  text: string;
  values: unknown[];
  /** performance.now() */
  askedAt: number;
  /** The trace of the first request that queued it. */
  trace: Trace | undefined;
  copies: number;
  times: number;
  resolve: (rows: Rows) => void;
  reject: (error: unknown) => void;
}

/** A connection on which statements do not wait for earlier responses. */
export interface Pipe {
  opening: Promise<void>;
  opened: Connection | undefined;
  /** In the order in which they were sent, which is that of the responses. */
  queue: Asked[];
  /** How long the first of them has been the first. */
  headTicks: number;
  isGathering: boolean;
  isLost: boolean;
}

export const newPipe = (): Pipe => ({
  opening: Promise.resolve(),
  opened: undefined,
  queue: [],
  headTicks: 0,
  isGathering: false,
  isLost: false,
});

/** Connections on which statements are sent without waiting for earlier responses. */
export interface Pipes {
  query<Row>(name: string, text: string, values: unknown[]): Promise<readonly Row[]>;
  /** For measurements. */
  state(): { connections: number; waiting: number };
  end(): Promise<void>;
}
