import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

/** The credential of the command line, and its installation and tenant. */
export interface Config {
  url: string;
  tenant: string;
  site?: string | undefined;
  sessionId?: string | undefined;
  apiKey?: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

export const configFile = (environment: Environment): string =>
  environment.GATEHOUSE_CONFIG ??
  join(environment.XDG_CONFIG_HOME ?? join(homedir(), ".config"), "gatehouse", "config.json");

/** A failure that the user can fix, printed without a stack. */
export class UsageError extends Error {}

/** Stores the configuration for its owner only; a file that others could read is replaced, never overwritten in place. */
export async function writeConfig(file: string, config: Config): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify(config, undefined, 2)}\n`, { mode: 0o600, flag: "wx" });
  await chmod(draft, 0o600);
  await rename(draft, file);
}

export const deleteConfig = (file: string): Promise<void> => rm(file, { force: true });

async function readConfig(file: string): Promise<Partial<Config>> {
  const found = await stat(file).catch(() => undefined);
  if (!found) return {};
  if (process.platform !== "win32" && (found.mode & 0o077) !== 0)
    throw new UsageError(`Other users can read ${file}. Run: chmod 600 ${file}`);
  try {
    return JSON.parse(await readFile(file, "utf8"));
  } catch {
    throw new UsageError(`${file} is not valid JSON. Run: gatehouse login`);
  }
}

/** The configuration: the file, overridden by the environment. Throws UsageError when there is no credential. */
export async function loadConfig(environment: Environment): Promise<Config> {
  const { GATEHOUSE_URL, GATEHOUSE_TENANT, GATEHOUSE_SITE, GATEHOUSE_API_KEY } = environment;
  const stored = await readConfig(configFile(environment));
  const url = GATEHOUSE_URL ?? stored.url;
  const tenant = GATEHOUSE_TENANT ?? stored.tenant;
  // A stored credential is sent only to the address and tenant that it was stored for.
  const isStoredPlace = url === stored.url && tenant === stored.tenant;
  const own = isStoredPlace ? { sessionId: stored.sessionId, apiKey: stored.apiKey } : {};
  const credential: Pick<Config, "sessionId" | "apiKey"> = GATEHOUSE_API_KEY
    ? { apiKey: GATEHOUSE_API_KEY }
    : own;
  if (!url || !tenant || !(credential.apiKey || credential.sessionId))
    throw new UsageError("Not signed in. Run: gatehouse login --url URL --tenant TENANT");
  return { url, tenant, site: GATEHOUSE_SITE ?? stored.site, ...credential };
}
