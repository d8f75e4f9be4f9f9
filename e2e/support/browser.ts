import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { projectRoot } from "@/lib/database/data-dir";

export const browserFlags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

interface Browser {
  executablePath: string;
  /** Environment variables that its process needs in addition to the current ones. */
  env: Record<string, string>;
}

const systemPaths = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** The package expects its fonts in /tmp; without any font the browser crashes at the first text. */
const fontsConfiguration = (home: string) =>
  `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>${join(home, "fonts", "fonts")}</dir><cachedir>${join(home, "fonts-cache")}</cachedir></fontconfig>\n`;

/** Unpacks the Chromium from a package, with the libraries that a minimal machine lacks; once per checkout. */
async function packagedChromium(): Promise<Browser> {
  const home = join(projectRoot(), "node_modules", ".cache", "e2e-chromium-143");
  if (!existsSync(join(home, "chromium"))) {
    const draft = `${home}.${process.pid}`;
    mkdirSync(draft, { recursive: true });
    const before = { TMPDIR: process.env.TMPDIR, AWS_EXECUTION_ENV: process.env.AWS_EXECUTION_ENV };
    // The package unpacks into the temporary folder, and its libraries only if it detects that system.
    Object.assign(process.env, { TMPDIR: draft, AWS_EXECUTION_ENV: "AWS_Lambda_nodejs20.x" });
    const { default: packaged } = await import("@sparticuz/chromium");
    await packaged.executablePath();
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    writeFileSync(join(draft, "fonts", "fonts.conf"), fontsConfiguration(home));
    rmSync(home, { recursive: true, force: true });
    renameSync(draft, home);
  }
  return {
    executablePath: join(home, "chromium"),
    env: { LD_LIBRARY_PATH: join(home, "al2023", "lib"), FONTCONFIG_PATH: join(home, "fonts") },
  };
}

/** Playwright's browser if it is installed, else the system's, else the one from the package. */
export async function findBrowser(): Promise<Browser> {
  const own = chromium.executablePath();
  const installed = [own, ...systemPaths].find((path) => existsSync(path));
  return installed && process.env.E2E_BROWSER_FROM !== "package"
    ? { executablePath: installed, env: {} }
    : packagedChromium();
}
