import { spawnSync } from "node:child_process";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSmtp } from "@/lib/features/mail/testing/smtp-server";
import { ensureBuilt, startProduct } from "@/lib/server/testing/product";
import type { Fixtures } from "@/lib/setup/fixtures";
import { findBrowser } from "./browser";
import { signedInUsers, storageStateOf } from "./http-sign-in";
import { printedPassword } from "./printed-password";

function makeFixtures(dataDir: string, file: string, baseUrl: string): Fixtures {
  const env = { ...process.env, DATA_DIR: dataDir };
  const command = ["scripts/run.mjs", "fixtures", "--out", file, "--base-url", baseUrl];
  const { status, stderr } = spawnSync(process.execPath, command, { env, encoding: "utf8" });
  if (status !== 0) throw new Error(`The fixtures could not be made: ${stderr}`);
  return JSON.parse(readFileSync(file, "utf8")) as Fixtures;
}

/** Starts the built product on a separate store with the demo and the fixtures; stops it when the run is over. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const browser = await findBrowser();
  Object.assign(process.env, {
    E2E_BROWSER: browser.executablePath,
    E2E_BROWSER_ENV: JSON.stringify(browser.env),
  });
  ensureBuilt();
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-e2e-"));
  const smtp = await openSmtp("none", undefined, (mail) =>
    appendFileSync(join(folder, "mails.jsonl"), `${JSON.stringify(mail)}\n`),
  );
  const product = await startProduct(folder, {
    ...{ DATABASE_URL: "", DEMO: "on", RATE_LIMITS: "off" },
    SMTP_URL: smtp.url,
  });
  const stop = async () => {
    await product.stop();
    await smtp.close();
    rmSync(folder, { recursive: true });
  };
  try {
    const baseUrl = product.url.replace("127.0.0.1", "localhost");
    const fixtures = makeFixtures(folder, join(folder, "fixtures.json"), baseUrl);
    for (const name of signedInUsers) {
      const { tenant, login, password } = fixtures.users[name] ?? {
        tenant: "A",
        login: "",
        password: "",
      };
      const state = await storageStateOf(baseUrl, {
        tenant: fixtures.tenants[tenant],
        login,
        password,
      });
      writeFileSync(join(folder, `${name}.json`), JSON.stringify(state), { mode: 0o600 });
    }
    const demoPassword = await printedPassword(product);
    Object.assign(process.env, {
      E2E_BASE_URL: baseUrl,
      E2E_FOLDER: folder,
      E2E_DEMO_PASSWORD: demoPassword,
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}
