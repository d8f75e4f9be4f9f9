/** How busy a worker was lately, and how many connections it has. */
export interface WorkerLoad {
  connections: number;
  /** The part of the time in which its event loop had work, from 0 to 1. */
  utilization: number;
}

/** Below this a worker has time for all of its connections, however they are spread. */
const busy = 0.6;
/** What one is above the average before connections are moved. */
const tolerance = 0.15;

/**
 * How many connections a worker is to end after their next response, so that they are opened again and accepted by a process that has time.
 * Half of what it has too much: the others' load is a moment old.
 */
export function connectionsToShed(own: WorkerLoad, all: readonly WorkerLoad[]): number {
  const mean = all.reduce((sum, { utilization }) => sum + utilization, 0) / all.length;
  const excess = own.utilization - mean;
  if (own.utilization < busy || excess < tolerance || own.connections < 2) return 0;
  return Math.max(1, Math.floor((own.connections * excess) / own.utilization / 2));
}
