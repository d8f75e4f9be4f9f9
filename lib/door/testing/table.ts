import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { methods } from "@/lib/api/methods";
import { type Handler, loadRoutes, type RouteTable } from "@/lib/door/routes";

/** A table from handlers by path, read from folders as the product's own is. */
export async function tableOf(handlers: Record<string, Partial<Record<"GET" | "POST" | "PUT", Handler>>>): Promise<RouteTable> {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-routes-"));
  const modules = new Map<string, unknown>();
  for (const [path, bound] of Object.entries(handlers)) {
    const file = join(folder, path, "route.ts");
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, "");
    modules.set(file, methods(bound as Parameters<typeof methods>[0]));
  }
  try {
    return await loadRoutes(folder, async (file) => modules.get(file));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
