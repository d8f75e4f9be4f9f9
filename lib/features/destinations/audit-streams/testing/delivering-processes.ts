import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { projectRoot } from "@/lib/database/data-dir";

const folder = join(projectRoot(), "node_modules", ".cache", "gatehouse");
const script = join(folder, `delivering-process-${process.pid}.mjs`);

/** Bundles the process's script, since Node runs no TypeScript; returns a function that removes it. */
export async function buildDeliveringProcess(): Promise<() => void> {
  const entry = "lib/features/destinations/audit-streams/testing/delivering-process.ts";
  await build({
    ...{ entryPoints: [join(projectRoot(), entry)], outfile: script, bundle: true },
    ...{ platform: "node", format: "esm", packages: "external", logLevel: "error" },
  });
  return () => rmSync(script);
}

/** Starts a process that delivers from the store of this test, and waits until it is ready. */
export async function startDeliveringProcess(): Promise<ChildProcess> {
  const child = spawn(process.execPath, [script], {
    env: { ...process.env, NODE_ENV: "test", LOG_LEVEL: "silent" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  return child;
}

/** Kills the process without cleanup, like a machine failure. */
export async function killProcess(child: ChildProcess): Promise<void> {
  const exit = once(child, "exit");
  child.kill("SIGKILL");
  await exit;
}
