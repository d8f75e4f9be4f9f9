import { expect, test } from "vitest";
import { encodeLabels } from "./call-labels";
import { type Call, drain, newRecorder, record, takeUnattributed } from "./recorder";

const call = (more: Partial<Call> = {}): Call => ({
  tenantId: "a",
  siteId: "",
  domain: "user",
  endpoint: "GET /v1/user/list",
  method: "GET",
  status: 200,
  caller: { kind: "apiKey", credentialId: "key_1", userId: "user_1" },
  ms: 2,
  ...more,
});

const sum = (batch: ReturnType<typeof drain>) =>
  [...batch.values()].flat().reduce((all, { count }) => all + count, 0);

test("calls with the same values share a cell, calls that differ in any value do not", () => {
  const recorder = newRecorder();
  const others: Partial<Call>[] = [
    { status: 404 },
    { siteId: "one" },
    { endpoint: "PUT /x" },
    { tenantId: "b" },
    { caller: undefined },
  ];
  for (let times = 0; times < 3; times += 1)
    for (const other of [{}, ...others]) record(recorder, call(other));
  const batch = drain(recorder, true);
  expect(batch.get("a")).toHaveLength(5);
  expect(batch.get("a")?.[0]).toEqual({
    values: encodeLabels({
      domain: "user",
      endpoint: "GET /v1/user/list",
      method: "GET",
      status: "200",
      apiKey: "key_1",
      user: "user_1",
      credentialKind: "apiKey",
    }),
    count: 3,
    latency: [[40, 3]],
  });
  expect(sum(batch)).toBe(18);
});

test("calls of unknown paths keep their method and domain", () => {
  const recorder = newRecorder();
  const unknown = { endpoint: "*", status: 404 };
  for (const other of [{}, { method: "PUT" }, { domain: "pim" }, { method: "PUT", domain: "pim" }])
    record(recorder, call({ ...unknown, ...other }));
  const told = drain(recorder, true)
    .get("a")
    ?.map(({ values, count }) => [values[0], values[3], count]);
  expect(told).toEqual([
    ["user", "GET", 1],
    ["user", "PUT", 1],
    ["pim", "GET", 1],
    ["pim", "PUT", 1],
  ]);
});

test("drained counts are not drained again, and latencies wait for a drain with latencies", () => {
  const recorder = newRecorder();
  record(recorder, call());
  expect(drain(recorder, false).get("a")?.[0]).toMatchObject({ count: 1, latency: [] });
  expect(drain(recorder, true).get("a")?.[0]).toMatchObject({ count: 0, latency: [[40, 1]] });
  expect(drain(recorder, true).size).toBe(0);
});

test("combinations without further calls are dropped from memory, with no call lost", () => {
  const recorder = newRecorder();
  record(recorder, call({ tenantId: "once" }));
  let counted = 0;
  for (let minute = 0; minute < 3; minute += 1) {
    for (let drained = 0; drained < 8; drained += 1) {
      record(recorder, call());
      counted += sum(drain(recorder, false));
      drain(recorder, true);
    }
    expect(recorder).toMatchObject({ combinations: 0, tenants: new Map() });
  }
  expect(counted).toBe(25);
});

test("combinations of a tenant beyond the cap are counted together, with an exact total", () => {
  const recorder = newRecorder();
  for (let index = 0; index < 6000; index += 1)
    record(
      recorder,
      call({ caller: { kind: "apiKey", credentialId: `key_${index}`, userId: "u" } }),
    );
  const batch = drain(recorder, true);
  const beyond = batch.get("a")?.filter(({ values }) => values[5] === "__overflow__") ?? [];
  expect(beyond.reduce((all, { count }) => all + count, 0)).toBe(1000);
  expect(sum(batch)).toBe(6000);
});

test("calls for thousands of tenants do not fill the memory and are reported", () => {
  const recorder = newRecorder();
  for (let index = 0; index < 3000; index += 1) record(recorder, call({ tenantId: `t-${index}` }));
  expect(drain(recorder, true).size).toBe(2000);
  expect([takeUnattributed(recorder), takeUnattributed(recorder)]).toEqual([1000, 0]);
});
