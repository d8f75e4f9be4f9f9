import { createReadStream, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { projectRoot } from "@/lib/database/data-dir";
import type { Pages } from "./pages";

/*
 * Next compresses a script on each request, by gzip. The build compresses each once, by brotli (scripts/build.mjs), which is a tenth
 * smaller and costs the process nothing. The addresses are immutable: they contain a hash of the content.
 */

const types = new Map([
  [".js", "text/javascript; charset=utf-8"],
  [".css", "text/css; charset=utf-8"],
]);
const extensionOf = (file: string) => /\.\w+$/.exec(file)?.[0] ?? "";
const acceptsBrotli = (header: string | string[] | undefined) =>
  /(?:^|,)\s*br\s*(?:,|$|;\s*q=(?!0(?:\.0*)?\s*(?:,|$)))/.test(String(header));

/** The files that the build compressed, by the path under which browsers request them. */
function compressedFiles(folder: string): Map<string, string> {
  const files = existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: "utf8" })
    : [];
  return new Map(
    files
      .filter((file) => file.endsWith(".br"))
      .map((file) => [`/_next/static/${file.slice(0, -3)}`, join(folder, file)]),
  );
}

/** Pages whose scripts and styles are sent as the build compressed them, to browsers that accept it. */
export function withCompressedScripts(
  pages: Pages,
  folder = join(projectRoot(), ".next", "static"),
): Pages {
  const files = compressedFiles(folder);
  return {
    ...pages,
    request: (req, res) => {
      const [path = ""] = (req.url ?? "").split("?");
      const file = req.method === "GET" ? files.get(path) : undefined;
      const type = types.get(extensionOf(path));
      if (!file || !type || !acceptsBrotli(req.headers["accept-encoding"]))
        return pages.request(req, res);
      res.setHeader("Content-Type", type);
      res.setHeader("Cache-Control", "public, max-age=31536000, immutable");
      res.setHeader("Content-Encoding", "br");
      res.setHeader("Vary", "Accept-Encoding");
      return pipeline(createReadStream(file), res).catch(() => void res.destroy());
    },
  };
}
