import { rmSync } from "node:fs";
import { join } from "node:path";
import { base, isStale, root } from "./sources.mjs";

/** Runs scripts/<name>.ts: from the build, or bundled for this run if there is no build or it is older than the sources. */
const [name] = process.argv.splice(2, 1);
process.env.NODE_ENV = "production";
if (!isStale()) {
  await import(new URL(`.server/scripts/${name}.mjs`, base).href);
} else {
  const outdir = `.server/run-${process.pid}`;
  const { bundle } = await import("./build.mjs");
  try {
    await bundle([`scripts/${name}.ts`], outdir);
    await import(new URL(`${outdir}/scripts/${name}.mjs`, base).href);
  } finally {
    rmSync(join(root, outdir), { recursive: true, force: true });
  }
}
