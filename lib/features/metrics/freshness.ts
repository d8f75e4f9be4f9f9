declare global {
  /** Start of the oldest counts of this process that have not landed, in milliseconds since the epoch. */
  var gatehouseMetricsPendingSince: (() => number | undefined) | undefined;
}

/** Everything this process counted before this instant is in the store. */
export const completeUntil = (): number =>
  globalThis.gatehouseMetricsPendingSince?.() ?? Date.now();
