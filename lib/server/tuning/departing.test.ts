import { expect, test } from "vitest";
import { onWork } from "@/lib/protocol/per-process";
import type { Exchange } from "@/lib/server/state";
import { createDeparting } from "./departing";

/** Answers are distinguished by their status; `endTurn` acts as the end of the event loop's turn. */
function openDoor() {
  const sent: number[] = [];
  const failed: unknown[] = [];
  let atEnd: (() => void)[] = [];
  const departing = createDeparting(
    (_exchange, { status }) => {
      if (status === 500) throw new Error("the socket is gone");
      sent.push(status);
    },
    (_exchange, error) => failed.push(error),
    (run) => atEnd.push(run),
  );
  const exchange = {} as Exchange;
  const add = (status: number, now = 0) =>
    departing.add(exchange, new Response(undefined, { status }), now);
  const endTurn = () => {
    const runs = atEnd;
    atEnd = [];
    for (const run of runs) run();
  };
  return { sent, failed, add, endTurn };
}

test("sends the responses of a turn at its end, in order, each once", () => {
  const { sent, add, endTurn } = openDoor();
  const measured: string[] = [];
  onWork((work) => measured.push(work));
  add(200);
  add(404);
  expect(sent).toEqual([]);
  endTurn();
  expect(sent).toEqual([200, 404]);
  add(201);
  endTurn();
  endTurn();
  expect(sent).toEqual([200, 404, 201]);
  // Once for each batch.
  expect(measured).toEqual(["responses", "responses"]);
});

test("sends responses at once that have waited for 2 ms in a long turn", () => {
  const { sent, add, endTurn } = openDoor();
  add(200, 0);
  add(201, 1.9);
  expect(sent).toEqual([]);
  add(202, 2.1);
  expect(sent).toEqual([200, 201, 202]);
  add(404, 2.2);
  expect(sent).toEqual([200, 201, 202]);
  endTurn();
  expect(sent).toEqual([200, 201, 202, 404]);
});

test("sends at once when 64 wait", () => {
  const { sent, add } = openDoor();
  for (let count = 0; count < 63; count += 1) add(200);
  expect(sent).toHaveLength(0);
  add(200);
  expect(sent).toHaveLength(64);
});

test("sends the responses after one that cannot be sent, and reports that one", () => {
  const { sent, failed, add, endTurn } = openDoor();
  for (const status of [200, 500, 404]) add(status);
  endTurn();
  expect(sent).toEqual([200, 404]);
  expect(failed).toEqual([new Error("the socket is gone")]);
});
