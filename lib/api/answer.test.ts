import { expect, test } from "vitest";
import { z } from "zod";
import { answer } from "./answer";
import { endpoint } from "./endpoint";

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

test.each([
  [[], 0],
  [[0], 0],
  [[2, 0, 0, 3], 5],
  [[0, 1, 0], 1],
])("a list streamed in parts of %j is one array of what the contract names, whichever parts are empty", async (sizes, length) => {
  const reader = answer(listed, parts(...sizes), { answerHeaders: {}, format: "application/json" }).body?.getReader();
  let text = "";
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    text += new TextDecoder().decode(next.value);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect(JSON.parse(text)).toEqual(Array.from({ length }, (_, id) => ({ id })));
});
