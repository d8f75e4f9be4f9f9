import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { perProcess } from "@/lib/protocol/per-process";
import { setting } from "@/lib/protocol/settings";

const root = perProcess("project-root", () => ({
  folder: findRoot(startedScript()) ?? findRoot(process.cwd()),
}));

/** The folder that holds this project's package.json, found from the started script: a bundle knows neither its source folder nor the cwd. */
export function projectRoot(): string {
  const { folder } = root();
  if (folder === undefined)
    throw new Error("Cannot find the project's folder: start Gatehouse from inside it.");
  return folder;
}

/** The folder for everything that must outlive the process: DATA_DIR, or `data` in the project. Relative paths start at the project. */
export function dataDir(): string {
  return resolve(projectRoot(), setting("DATA_DIR"));
}

/** Creates a missing folder. If this process is root, PostgreSQL runs as another user, who may pass through a folder that was empty. */
export function makeDataDir(folder: string): void {
  const isRoot = process.getuid?.() === 0;
  mkdirSync(folder, { recursive: true, mode: isRoot ? 0o711 : 0o700 });
  const { uid, mode } = statSync(folder);
  if (isRoot && uid === 0 && (mode & 0o001) === 0 && readdirSync(folder).length === 0)
    chmodSync(folder, mode | 0o001);
}

function startedScript(): string {
  const script = process.argv[1];
  return script !== undefined && existsSync(script) ? realpathSync(script) : process.cwd();
}

function findRoot(from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    if (isProject(join(folder, "package.json"))) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

function isProject(manifest: string): boolean {
  return existsSync(manifest) && JSON.parse(readFileSync(manifest, "utf8")).name === "gatehouse";
}
