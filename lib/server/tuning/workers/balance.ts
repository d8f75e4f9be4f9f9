/** How busy a worker was recently, and how many connections it has. */
export interface WorkerLoad {
  connections: number;
  /** The part of the time in which its event loop had work, from 0 to 1. */
  utilization: number;
}

/** Below this a worker has capacity for all of its connections, however they are distributed. */
const busy = 0.6;
/** How far a worker must be above the average before connections are moved. */
const tolerance = 0.15;

/**
 * How many connections a worker must close after their next response, so that clients reconnect and a less busy process accepts them. Half
 * of its excess, because the load of the others is slightly out of date.
 */
export function connectionsToShed(own: WorkerLoad, all: readonly WorkerLoad[]): number {
  const mean = all.reduce((sum, { utilization }) => sum + utilization, 0) / all.length;
  const excess = own.utilization - mean;
  if (own.utilization < busy || excess < tolerance || own.connections < 2) return 0;
  return Math.max(1, Math.floor((own.connections * excess) / own.utilization / 2));
}
