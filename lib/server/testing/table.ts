import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { methods } from "@/lib/http/methods";
import { type Handler, loadRoutes, type RouteTable } from "@/lib/server/routes";

/** Reads the table from folders, as the product does, whose route files export these modules. */
export async function tableFrom(modules: Record<string, unknown>): Promise<RouteTable> {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-routes-"));
  const files = new Map(
    Object.entries(modules).map(([path, exported]) => [join(folder, path, "route.ts"), exported]),
  );
  for (const file of files.keys()) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, "");
  }
  try {
    return await loadRoutes(folder, async (file) => files.get(file));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The same from handlers, completed with the methods they do not have. */
export function tableOf(
  handlers: Record<string, Partial<Record<"GET" | "POST" | "PUT", Handler>>>,
): Promise<RouteTable> {
  const modules = Object.entries(handlers).map(([path, bound]) => [
    path,
    methods(bound as Parameters<typeof methods>[0]),
  ]);
  return tableFrom(Object.fromEntries(modules));
}
