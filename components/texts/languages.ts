import { createHash } from "node:crypto";
import { german, germanMails } from "./german";
import { createPseudoReader, createReader, type Dictionary, type Language } from "./reader";
import type { Reader } from "./t";

/** A language as the server serves it. */
interface ServedLanguage {
  reader: Reader;
  /** The source of the script of `reader.script`. */
  source: string;
}

const english = { language: "en", direction: "ltr", locale: "en", dates: "en-GB" } as const;

/** The script sets the reader that `t` uses, at the place defined in lib/protocol/per-process.ts. */
function served(language: Language, create: string, reader: Reader, data?: Dictionary) {
  const values = [language, ...(data ? [data] : [])].map((value) => JSON.stringify(value));
  const source = `globalThis[Symbol.for("gatehouse.per-process")]=new Map([["reader",(r=>({getStore:()=>r}))((${create})(${values.join()}))]]);`;
  const hash = createHash("sha256").update(source).digest("base64url").slice(0, 12);
  const script = `/_next/static/texts/${language.language}.${hash}.js`;
  return [language.language, { reader: { ...reader, script }, source }] as const;
}

function pseudo(language: Language) {
  return served(language, createPseudoReader.toString(), createPseudoReader(language));
}

const germanLanguage: Language = { language: "de", direction: "ltr", locale: "de", dates: "de" };

/** The languages of mails; English needs no catalogue. */
export const mailLanguages: ReadonlyMap<string, Reader> = new Map([
  ["de", createReader(germanLanguage, germanMails)],
]);

/** The languages by cookie value; English needs no catalogue. Two are for tests: see docs/architecture/portal.md. */
export const languages: ReadonlyMap<string, ServedLanguage> = new Map([
  served(germanLanguage, createReader.toString(), createReader(germanLanguage, german), german),
  pseudo({ ...english, language: "qps" }),
  pseudo({ ...english, language: "qps-rtl", direction: "rtl" }),
]);
