import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { withCompressedScripts } from "./compressed-scripts";
import type { Pages } from "./pages";

const source = "export const text = 'a script of the build';";
let folder: string;
let server: Server;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "scripts-"));
  mkdirSync(join(folder, "chunks"));
  writeFileSync(join(folder, "chunks", "a.js.br"), brotliCompressSync(source));
  const next = {
    request: async (_: unknown, res: { end: (text: string) => void }) => res.end("next"),
  };
  const pages = withCompressedScripts(next as unknown as Pages, folder);
  server = createServer((req, res) => void pages.request(req, res)).listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

const get = (path: string, accepted: string) =>
  fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, {
    headers: { "Accept-Encoding": accepted },
  });

test("a script is sent as the build compressed it, as immutable", async () => {
  for (const accepted of ["br", "gzip, deflate, br, zstd", "gzip;q=0.5, br;q=0.8"]) {
    const response = await get("/_next/static/chunks/a.js?v=1", accepted);
    expect(response.headers.get("content-encoding"), accepted).toBe("br");
    expect(response.headers.get("vary")).toBe("Accept-Encoding");
    expect(response.headers.get("cache-control")).toContain("immutable");
    expect(await response.text()).toBe(source);
  }
});

test.each([
  ["a browser that does not accept it", "/_next/static/chunks/a.js", "gzip, bro"],
  ["one that refuses it", "/_next/static/chunks/a.js", "br;q=0, gzip"],
  ["a file that the build did not compress", "/_next/static/chunks/b.js", "br"],
  ["a path that leads out of the folder", "/_next/static/chunks/../chunks/a.js.br", "br"],
])("the pages answer %s", async (_, path, accepted) => {
  expect(await (await get(path, accepted)).text()).toBe("next");
});
