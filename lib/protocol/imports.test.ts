import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectRoot } from "@/lib/database/data-dir";
import { featureUses, forbiddenImports } from "./testing/import-rules";

async function sourceFiles(folder: string): Promise<string[]> {
  const files = await readdir(join(projectRoot(), folder), { recursive: true });
  return files.filter((file) => /\.tsx?$/.test(file)).map((file) => `${folder}/${file}`);
}

test("no file imports what the import rules forbid", async () => {
  const files = (await Promise.all(["app", "components", "lib"].map(sourceFiles))).flat();
  const found = await Promise.all(
    files.map(async (file) =>
      forbiddenImports(file, await readFile(join(projectRoot(), file), "utf8")),
    ),
  );
  expect(found.flat()).toEqual([]);
});

const planted: [rule: string, file: string, source: string][] = [
  ["lib knows no page", "lib/http/a.ts", 'import { a } from "@/app/page";'],
  ["lib knows no component", "lib/http/a.ts", 'import type { A } from "@/components/ui/button";'],
  ["components know no page", "components/ui/a.tsx", 'import { a } from "@/app/layout";'],
  ["a floor by value", "lib/protocol/a.ts", 'import { db } from "@/lib/database/open";'],
  ["a floor by type", "lib/database/a.ts", 'import type { A } from "@/lib/access/caller";'],
  ["a floor by a late import", "lib/access/a.ts", 'const a = import("@/lib/http/route");'],
  ["a floor by a re-export", "lib/access/a.ts", 'export { a } from "@/lib/server/serve";'],
  ["a room that is no floor", "lib/http/a.ts", 'import { a } from "@/lib/utils/a";'],
  [
    "features by type",
    "lib/features/audit/a.ts",
    'import type { A } from "@/lib/features/users/contract";',
  ],
  ["features by a path", "lib/features/users/a.ts", 'import { a } from "../sessions/login";'],
  ["a service", "components/users/a.tsx", 'import { a } from "@/lib/features/users/list";'],
  ["a contract's value", "components/a.tsx", 'import { a } from "@/lib/features/users/contract";'],
  ["a credential", "components/a.tsx", 'import type { A } from "@/lib/access/credential-store";'],
  ["Zod", "components/a.tsx", 'import { z } from "zod";'],
  ["the store from a page", "app/a.ts", 'import { eq } from "drizzle-orm";'],
  ["a table from a page", "app/a.ts", 'import { users } from "@/lib/database/schema/schema";'],
  ["React", "lib/features/users/a.ts", 'import { use } from "react";'],
  ["Next", "lib/http/a.ts", 'import { headers } from "next/headers";'],
  ["recharts", "components/metrics/a.tsx", 'import { Line } from "recharts";'],
  ["a type of recharts", "components/home/a.tsx", 'import type { LineProps } from "recharts";'],
  ["a test's helper", "lib/http/a.ts", 'import { a } from "@/lib/http/testing/test-server";'],
];

test.each(planted)("finds a planted violation: %s", (_, file, source) => {
  expect(forbiddenImports(file, source)).toHaveLength(1);
});

test("features import each other only in one direction", () => {
  const visit = (feature: string, path: string[]): void => {
    expect(path, [...path, feature].join(" -> ")).not.toContain(feature);
    for (const next of featureUses[feature] ?? []) visit(next, [...path, feature]);
  };
  for (const feature of Object.keys(featureUses)) visit(feature, []);
});
