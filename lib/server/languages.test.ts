import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { perProcess } from "@/lib/protocol/per-process";
import { inLanguages } from "./languages";

const german = { reader: { script: "/_next/static/texts/de.1.js" }, source: "texts()" };

/** The languages that the pages read, and responses that bypassed them. */
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
  const ask = (url: string, cookie = "", asked = "") => {
    const sent: Record<string, string> = {};
    const res = {
      setHeader: (name: string, value: string) => Object.assign(sent, { [name]: value }),
      end: (body: string) => Object.assign(sent, { body }),
    };
    const req = {
      url,
      headers: { cookie, "accept-language": asked },
    } as unknown as IncomingMessage;
    return Promise.resolve(pages.request(req, res as unknown as ServerResponse)).then(() => sent);
  };
  return { seen, ask };
}

function fail(): never {
  throw new Error("The register has no reader.");
}

test("pages that are rendered at the same time are each in the language of their cookie", async () => {
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

test("without a chosen language, pages are in the browser's preferred one", async () => {
  const { seen, ask } = serve();
  const asked = {
    "/first": "fr-CH, de-AT;q=0.9, en;q=0.8, *;q=0.5",
    "/weights": "en;q=0.3, DE;q=0.7",
    "/english": "en-GB,en;q=0.9,de;q=0.8",
    "/never": "de;q=0, fr",
    "/none": "",
    "/odd": ";;q=,=de,\u0000",
  };
  for (const [url, header] of Object.entries(asked)) await ask(url, "", header);
  await ask("/chosen", "gatehouse-language=en", "de");
  const german = seen.flatMap(([url, reader]) => (reader === undefined ? [] : [url]));
  expect(german).toEqual(["/first", "/weights"]);
});

test("the documentation is English", async () => {
  const { seen, ask } = serve();
  for (const url of ["/docs", "/docs/errors", "/docs?q=key"])
    await ask(url, "gatehouse-language=de");
  expect(seen.map(([, reader]) => reader)).toEqual([undefined, undefined, undefined]);
});

test("the script of a language is immutable: its address has a hash of its content", async () => {
  const { seen, ask } = serve();
  const sent = await ask("/_next/static/texts/de.1.js");
  expect(sent).toMatchObject({
    body: "texts()",
    "Content-Type": "text/javascript; charset=utf-8",
    "Cache-Control": expect.stringContaining("immutable"),
  });
  expect(seen).toEqual([]);
});
