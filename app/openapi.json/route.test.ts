import { get, type IncomingHttpHeaders } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { testServer } from "@/lib/http/testing/test-server";

const send = testServer();

const read = (headers: Record<string, string>) =>
  fetch(`${send.url()}/openapi.json`, { headers: { "Accept-Encoding": "identity", ...headers } });

/** `fetch` decompresses by itself: this reads the raw bytes of the response. */
const readCompressed = (coding: string) =>
  new Promise<{ headers: IncomingHttpHeaders; bytes: Buffer }>((resolve, reject) => {
    const headers = { "Accept-Encoding": coding };
    get(`${send.url()}/openapi.json`, { headers }, async (response) => {
      resolve({ headers: response.headers, bytes: Buffer.concat(await response.toArray()) });
    }).on("error", reject);
  });

test("200: every origin may read the document (CORS)", async () => {
  const { status, headers, body } = await send("GET /openapi.json", {
    headers: { Origin: "https://viewer.example" },
  });
  expect([status, headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
  expect(body.paths["/v1/user/list"].get.operationId).toBe("listUsers");
});

test("200: compressed as the caller accepts, at most 48.3 KB, and a little more by the older algorithm", async () => {
  for (const [coding, decompress, maxBytes] of [
    ["gzip", gunzipSync, 74_300],
    ["br", brotliDecompressSync, 48_300],
  ] as const) {
    const { headers, bytes } = await readCompressed(coding);
    expect(headers["content-encoding"]).toBe(coding);
    expect(headers.vary).toContain("Accept-Encoding");
    expect(bytes.length).toBeLessThanOrEqual(maxBytes);
    expect(JSON.parse(decompress(bytes).toString()).openapi).toBe("3.1.0");
  }
});

test("304: for the ETag of the same encoding, also weak or in a list", async () => {
  const etag = (await read({})).headers.get("etag") ?? "";
  for (const condition of [etag, `W/${etag}`, `"other", ${etag}`, "*"])
    expect((await read({ "If-None-Match": condition })).status, condition).toBe(304);
  expect((await read({ "If-None-Match": '"other"' })).status).toBe(200);
});

test("200: compressed and plain documents have different ETags", async () => {
  const plain = await read({});
  const compressed = await read({ "Accept-Encoding": "gzip" });
  expect(compressed.headers.get("etag")).not.toBe(plain.headers.get("etag"));
});
