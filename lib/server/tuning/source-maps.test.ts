import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createRequire, findSourceMap } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { skipMapsOfPackages } from "./source-maps";

const map = { version: 3, sources: ["whole.ts"], names: [], mappings: "AAAA" };

/** Loads a file that names its source map, which is `path` and ".map". */
function load(path: string): unknown {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "module.exports = 1;\n//# sourceMappingURL=index.js.map\n");
  writeFileSync(`${path}.map`, JSON.stringify(map));
  return createRequire(path)(path);
}

test("a file of ours has its source map, a package has none", () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "gatehouse-maps-")));
  const [own, foreign] = [join(folder, "index.js"), join(folder, "node_modules/next/index.js")];
  process.setSourceMapsEnabled(true);
  try {
    skipMapsOfPackages();
    expect([own, foreign].map(load)).toEqual([1, 1]);
    expect(findSourceMap(own)?.payload.sources).toHaveLength(1);
    expect(findSourceMap(foreign)).toBeUndefined();
  } finally {
    process.setSourceMapsEnabled(false);
    rmSync(folder, { recursive: true });
  }
});
