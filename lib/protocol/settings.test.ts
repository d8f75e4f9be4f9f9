import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { projectRoot } from "@/lib/database/data-dir";
import { settings } from "@/lib/protocol/setting-declarations";
import { settingsPage } from "@/lib/protocol/setting-table";
import { checkSettings, setting } from "@/lib/protocol/settings";

afterEach(() => vi.unstubAllEnvs());

describe("an invalid setting stops the start with a message that explains it", () => {
  test.each([
    ["PORT", "80 80", "no whole number from 0 to 65535"],
    ["PORT", "65536", "no whole number"],
    ["PUBLIC_URL", "api.example.com", "no address such as"],
    ["PUBLIC_URL", "https://api.example.com?x=1", "no address such as"],
    ["TRUSTED_PROXIES", "10.0.0.0/33", "neither an address nor a range"],
    ["DRAIN_MS", "5s", "no whole number"],
    ["DATABASE_URL", "mysql://secret@host/db", "no address such as postgres:"],
    ["SECRET_KEY", "too-short-a-secret", "fewer than 32 bytes"],
    ["SECRET_KEY_PREVIOUS", "too-short-a-secret", "fewer than 32 bytes"],
    ["DEMO", "yes", "none of on, off"],
    ["LOG_LEVEL", "loud", "none of trace"],
    ["SESSION_IDLE", "30m", "no ISO 8601 duration such as PT30M"],
    ["RATE_LIMITS", "0", "none of on, off"],
    ["SMTP_URL", "smtp.example.com", "no address such as smtps:"],
    ["SMTP_URL", "https://mail.example.com", "no address such as smtps:"],
    ["SMTP_URL", "smtp://mail.example.com?tls=maybe", "no address such as smtps:"],
    ["SMTP_URL", "smtp://mail.example.com/path", "no address such as smtps:"],
    ["MAIL_FROM", "Gatehouse", "no sender such as"],
    ["SECURITY_CONTACT", "security@example.com, http://example.com", "no mailto:, https: or tel:"],
  ])("%s=%s", (name, text, words) => {
    vi.stubEnv(name, text);
    expect(checkSettings).toThrow(new RegExp(`^${name}: .*${words}`));
  });

  test("all invalid ones are reported at once, and secret ones are not shown", () => {
    vi.stubEnv("PORT", "http");
    vi.stubEnv("DATABASE_URL", "mysql://secret@host/db");
    vi.stubEnv("SECRET_KEY", "too-short-a-secret");
    expect(checkSettings).toThrow(/PORT: [\s\S]*DATABASE_URL: [\s\S]*SECRET_KEY: /);
    expect(checkSettings).not.toThrow(/secret@host|too-short/);
  });
});

test("an empty setting counts as not set, and a changed one is read again", () => {
  vi.stubEnv("DRAIN_MS", "");
  expect(setting("DRAIN_MS")).toBe(5000);
  vi.stubEnv("DRAIN_MS", "0");
  expect(setting("DRAIN_MS")).toBe(0);
  vi.stubEnv("PUBLIC_URL", "https://api.example.com/");
  expect(setting("PUBLIC_URL")).toBe("https://api.example.com");
});

test.each([
  ["smtps://mail.example.com", { port: 465, security: "tls" }],
  ["smtp://mail.example.com/", { port: 587, security: "starttls" }],
  [
    "smtp://a%40b:c%2Fd@mail.example.com:25?tls=off",
    { port: 25, security: "none", user: "a@b", password: "c/d" },
  ],
])("SMTP_URL=%s", (text, expected) => {
  vi.stubEnv("SMTP_URL", text);
  expect(setting("SMTP_URL")).toEqual({ host: "mail.example.com", ...expected });
});

test.each([
  ["no-reply@example.com", { name: "", address: "no-reply@example.com" }],
  ["Gate House <no-reply@example.com>", { name: "Gate House", address: "no-reply@example.com" }],
])("MAIL_FROM=%s", (text, expected) => {
  vi.stubEnv("MAIL_FROM", text);
  expect(setting("MAIL_FROM")).toEqual(expected);
});

describe("an unknown setting stops the start", () => {
  test.each([
    ["GATEHOUSE_HOST", "0.0.0.0", "Did you mean HOST"],
    ["GATEHOUSE_SESSION_IDLE", "PT1H", "Did you mean SESSION_IDLE"],
    ["GATEHOUSE_COLOUR", "blue", "settings.md lists all"],
    ["DATABASE_URI", "postgres://host/db", "Did you mean DATABASE_URL"],
    ["SESSION_IDEL", "PT1H", "Did you mean SESSION_IDLE"],
    ["secret_key", "x".repeat(40), "Did you mean SECRET_KEY"],
    ["LOG_LEVELS", "info", "Did you mean LOG_LEVEL"],
  ])("%s", (name, text, words) => {
    vi.stubEnv(name, text);

    expect(checkSettings).toThrow(new RegExp(`^${name}: there is no such setting.*${words}`));
  });

  test("but not variables that Kubernetes adds for a service of this name, nor those of other programs", () => {
    for (const name of [
      "GATEHOUSE_SERVICE_HOST",
      "GATEHOUSE_SERVICE_PORT_HTTP",
      "GATEHOUSE_PORT_3000_TCP_ADDR",
      "HOSTS",
      "HOME",
      "DATABASE_PORT",
      "SESSION_MANAGER",
    ])
      vi.stubEnv(name, "tcp://10.0.0.1:3000");
    expect(checkSettings).not.toThrow();
  });
});

test("the page of settings is generated from the declarations", () => {
  const file = join(projectRoot(), "docs", "operations", "settings.md");
  if (process.env.KEEP_SETTINGS) writeFileSync(file, settingsPage());
  expect(readFileSync(file, "utf8")).toBe(settingsPage());
});

test("the README mentions no unknown setting", () => {
  const readme = readFileSync(join(projectRoot(), "README.md"), "utf8");
  const named = [...readme.matchAll(/`([A-Z]+(?:_[A-Z]+)+)`/g)].map(([, name = ""]) => name);
  expect(named).toContain("DATABASE_URL");
  expect(named.filter((name) => !Object.hasOwn(settings, name))).toEqual([]);
});

test("no other file reads the environment for a setting", () => {
  const files = ["app", "components", "lib"].flatMap((folder) =>
    readdirSync(join(projectRoot(), folder), { recursive: true }).map((file) =>
      join(folder, String(file)),
    ),
  );
  const reading = [...files, "server.ts", "instrumentation.tsx"].filter(
    (file) =>
      /\.tsx?$/.test(file) &&
      !/\.test\.ts|\/testing\/|protocol\/settings\.ts/.test(file) &&
      Object.keys(settings).some((name) =>
        new RegExp(`process\\.env\\.${name}\\b(?! =)`).test(
          readFileSync(join(projectRoot(), file), "utf8"),
        ),
      ),
  );
  expect(reading).toEqual([]);
});
