import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { perProcess } from "@/lib/protocol/per-process";
import { inLanguages } from "./languages";

const german = { reader: { script: "/_next/static/texts/de.1.js" }, source: "texts()" };

/** What the pages read, and what bypassed them. */
function serve() {
  const seen: [string, unknown][] = [];
  const pages = inLanguages(
    {
      request: async (req) => {
        await wait(1);
        seen.push([
          req.url ?? "",
          perProcess<{ getStore(): unknown }>("reader", fail)().getStore(),
        ]);
      },
    },
    new Map([["de", german]]),
  );
  const ask = (url: string, cookie = "") => {
    const sent: Record<string, string> = {};
    const res = {
      setHeader: (name: string, value: string) => Object.assign(sent, { [name]: value }),
      end: (body: string) => Object.assign(sent, { body }),
    };
    const req = { url, headers: { cookie } } as unknown as IncomingMessage;
    return Promise.resolve(pages.request(req, res as unknown as ServerResponse)).then(() => sent);
  };
  return { seen, ask };
}

function fail(): never {
  throw new Error("The register has no reader.");
}

test("pages that are made at the same time are each in the language of their cookie", async () => {
  const { seen, ask } = serve();
  await Promise.all([
    ask("/a", "theme=dark; gatehouse-language=de"),
    ask("/b"),
    ask("/c", "gatehouse-language=xx"),
    ask("/d", "gatehouse-language=de"),
  ]);
  expect(Object.fromEntries(seen)).toEqual({
    "/a": german.reader,
    "/b": undefined,
    "/c": undefined,
    "/d": german.reader,
  });
});

test("the documentation is English", async () => {
  const { seen, ask } = serve();
  for (const url of ["/docs", "/docs/errors", "/docs?q=key"])
    await ask(url, "gatehouse-language=de");
  expect(seen.map(([, reader]) => reader)).toEqual([undefined, undefined, undefined]);
});

test("the script of a language may be kept for ever: its address names its content", async () => {
  const { seen, ask } = serve();
  const sent = await ask("/_next/static/texts/de.1.js");
  expect(sent).toMatchObject({
    body: "texts()",
    "Content-Type": "text/javascript; charset=utf-8",
    "Cache-Control": expect.stringContaining("immutable"),
  });
  expect(seen).toEqual([]);
});
