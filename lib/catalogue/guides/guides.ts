import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "@/lib/database/data-dir";
import { perProcess } from "@/lib/protocol/per-process";
import type { Guide } from "./guide";
import { inNavigationOrder, parseGuide } from "./parse";

/** What the build writes and production reads. */
export const builtGuidesFile = () => join(projectRoot(), ".server", "guides.json");

const folder = () => join(projectRoot(), "docs", "guides");

/** Reads every guide from its source, in the order of the navigation. */
export function readGuideSources(): Guide[] {
  const files = readdirSync(folder()).filter((file) => file.endsWith(".md"));
  return inNavigationOrder(
    files.map((file) =>
      parseGuide(file.slice(0, -".md".length), readFileSync(join(folder(), file), "utf8")),
    ),
  );
}

const built = perProcess("guides", (): Guide[] =>
  JSON.parse(readFileSync(builtGuidesFile(), "utf8")),
);

/** The guides: in production as the build wrote them, with colours; elsewhere as their sources are now. */
export const guides = (): Guide[] =>
  process.env.NODE_ENV === "production" ? built() : readGuideSources();

export const findGuide = (name: string): Guide | undefined =>
  guides().find((guide) => guide.name === name);
