import type { Limits } from "./limits";
import type { Arriving, ServerState } from "./state";

/*
 * Requests that wait for the rest of their body cost a socket and a little memory, and no work. They are counted apart, so that clients
 * that send slowly, from however many networks, take no place of those that somebody works for.
 */

/** How many are cut off at once, so that a flood is not searched for each of them. */
const maxCutOff = 32;

/** By how many bytes a body is behind the least rate; negative where it is ahead. */
const deficit = ({ req, body }: Arriving, { minBodyRate }: Limits, now: number) =>
  (minBodyRate * (now - body.since)) / 1000 - (req.socket.bytesRead - body.bytesBefore);

/** Those that are furthest behind: one in any case, more where they are behind. */
function cutOffSlowest({ limits }: ServerState, waiting: readonly Arriving[]): void {
  const now = performance.now();
  const behind = waiting
    .map((one) => ({ one, bytes: deficit(one, limits, now) }))
    .sort((a, b) => b.bytes - a.bytes);
  for (const [place, { one, bytes }] of behind.slice(0, maxCutOff).entries()) {
    if (place > 0 && bytes <= 0) return;
    one.isCutOff = true;
    one.cutOff();
  }
}

/** Counts a request until its body has arrived or it has ended. Beyond the bound those that are furthest behind are cut off. */
export function awaitRest(state: ServerState, asked: Omit<Arriving, "isCutOff" | "place">): void {
  const arriving = { ...asked, isCutOff: false, place: -1 };
  state.arriving.add(arriving);
  const end = () => state.arriving.delete(arriving);
  arriving.req.once("end", end);
  arriving.req.once("close", end);
  arriving.res.once("close", end);
  if (state.arriving.size <= state.limits.arrivingBodies) return;
  const waiting = [...state.arriving].filter(({ isCutOff }) => !isCutOff);
  if (waiting.length > state.limits.arrivingBodies) cutOffSlowest(state, waiting);
}

/** Whether the process works for as many requests as it may. */
export const isFull = ({ open, visits, arriving, limits }: ServerState): boolean =>
  open.size + visits.size - arriving.size > limits.inProgress;
