import { expect, test } from "vitest";
import { z } from "zod";
import { endpoint } from "@/lib/protocol/endpoint";
import { answer } from "./answer";

const listed = endpoint({
  operation: "GET /v1/things",
  summary: "List things",
  credentials: [],
  answer: z.array(z.object({ id: z.number() })),
});

async function* parts(...sizes: number[]) {
  let id = 0;
  for (const size of sizes) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    yield Array.from({ length: size }, () => ({ id: id++, secret: "not in the contract" }));
  }
}

const asked = {
  responseHeaders: {},
  format: "application/json",
  request: new Request("http://localhost/v1/things"),
};

test("a list whose first part fails is an error response, not a truncated one", async () => {
  async function* failing(): AsyncGenerator<unknown[]> {
    yield await Promise.reject(new Error("the store is away"));
  }
  await expect(answer(listed, failing(), asked)).rejects.toThrow("the store is away");
});

test("HEAD has the Content-Length of the body of GET", async () => {
  const one = endpoint({
    operation: "GET /v1/thing",
    summary: "Show",
    credentials: [],
    answer: z.object({ name: z.string() }),
  });
  const request = new Request("http://localhost/v1/thing", { method: "HEAD" });
  const { headers } = await answer(one, { name: "\u00e4" }, { ...asked, request });
  expect(headers.get("content-length")).toBe(String(Buffer.byteLength('{"name":"\u00e4"}')));
});

test.each([
  [[], 0],
  [[0], 0],
  [[2, 0, 0, 3], 5],
  [[0, 1, 0], 1],
])(
  "a list streamed in parts of %j is one array of the contract's fields, whichever parts are empty",
  async (sizes, length) => {
    const reader = (await answer(listed, parts(...sizes), asked)).body?.getReader();
    let text = "";
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
      text += new TextDecoder().decode(next.value);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(JSON.parse(text)).toEqual(Array.from({ length }, (_, id) => ({ id })));
  },
);
