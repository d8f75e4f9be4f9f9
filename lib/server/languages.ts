import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingMessage, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { perProcess } from "@/lib/protocol/per-process";
import type { Pages } from "./pages";

/** The name of the cookie with the language of the pages. */
const languageCookie = /(?:^|;\s*)gatehouse-language=([\w-]+)/;

/** A language that pages are written in. */
interface Language {
  /** The texts of the language and their script, whose address is immutable. */
  reader: { script?: string };
  source: string;
}

/** The language of the request in progress; `components/texts/t.ts` reads it. Concurrent requests may differ. */
const current = perProcess("reader", () => new AsyncLocalStorage<Language["reader"]>());

/** The documentation is English. */
const isEnglish = (url: string) => /^\/docs(?:[/?]|$)/.test(url);

interface Script {
  source: string;
  zipped?: Buffer;
}

function sendScript(script: Script, req: IncomingMessage, res: ServerResponse): void {
  const isZipped = String(req.headers["accept-encoding"]).includes("gzip");
  res.setHeader("Content-Type", "text/javascript; charset=utf-8");
  res.setHeader("Cache-Control", "public, max-age=31536000, immutable");
  res.setHeader("Vary", "Accept-Encoding");
  if (!isZipped) return void res.end(script.source);
  res.setHeader("Content-Encoding", "gzip");
  // Once: repeated requests must not make the process compress each time.
  script.zipped ??= gzipSync(script.source);
  res.end(script.zipped);
}

/** The languages that a browser accepts, by preference: "de-AT,de;q=0.9,en;q=0.8" as "de", "de", "en". Test languages are excluded. */
function askedFor(header = ""): string[] {
  const asked = header
    .slice(0, 200)
    .split(",")
    .map((part) => {
      const [, name = "", weight = "1"] =
        /^\s*([a-z]{2})\b[^;]*(?:;\s*q=([\d.]+))?/i.exec(part) ?? [];
      return { name: name.toLowerCase(), weight: Number(weight) };
    });
  return asked
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .map(({ name }) => name);
}

/** The language chosen in this browser, else the first supported one that it accepts; English has no entry. */
function languageOf(
  { cookie = "", "accept-language": header }: IncomingMessage["headers"],
  languages: ReadonlyMap<string, Language>,
): Language | undefined {
  const chosen = languageCookie.exec(cookie)?.[1];
  const name = chosen ?? askedFor(header).find((one) => one === "en" || languages.has(one));
  return name === undefined ? undefined : languages.get(name);
}

/** Pages in the language that the cookie names, or else the browser, with the scripts that put it into that language. */
export function inLanguages(pages: Pages, languages: ReadonlyMap<string, Language>): Pages {
  const scripts = new Map(
    [...languages.values()].map(({ reader, source }) => [reader.script, { source } as Script]),
  );
  return {
    ...pages,
    request: (req, res) => {
      const url = req.url ?? "";
      const script = scripts.get(url);
      if (script) return sendScript(script, req, res);
      const language = isEnglish(url) ? undefined : languageOf(req.headers, languages);
      return language
        ? current().run(language.reader, () => pages.request(req, res))
        : pages.request(req, res);
    },
  };
}
