import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { projectRoot } from "@/lib/database/data-dir";
import { checkSettings, setting, settings } from "@/lib/protocol/settings";

afterEach(() => vi.unstubAllEnvs());

describe("an ill-formed setting refuses the start in words", () => {
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
  ])("%s=%s", (name, text, words) => {
    vi.stubEnv(name, text);
    expect(checkSettings).toThrow(new RegExp(`^${name}: .*${words}`));
  });

  test("all of them at once, and none that is secret is shown", () => {
    vi.stubEnv("PORT", "http");
    vi.stubEnv("DATABASE_URL", "mysql://secret@host/db");
    vi.stubEnv("SECRET_KEY", "too-short-a-secret");
    expect(checkSettings).toThrow(/PORT: [\s\S]*DATABASE_URL: [\s\S]*SECRET_KEY: /);
    expect(checkSettings).not.toThrow(/secret@host|too-short/);
  });
});

test("an empty setting counts as not given, and a changed one is read again", () => {
  vi.stubEnv("DRAIN_MS", "");
  expect(setting("DRAIN_MS")).toBe(5000);
  vi.stubEnv("DRAIN_MS", "0");
  expect(setting("DRAIN_MS")).toBe(0);
  vi.stubEnv("PUBLIC_URL", "https://api.example.com/");
  expect(setting("PUBLIC_URL")).toBe("https://api.example.com");
});

test("the documentation names every setting", () => {
  const readme = readFileSync(join(projectRoot(), "README.md"), "utf8");
  for (const name of Object.keys(settings)) expect(readme).toContain(`\`${name}\``);
});

test("no other file reads the environment for a setting", () => {
  const files = ["app", "components", "lib"].flatMap((folder) =>
    readdirSync(join(projectRoot(), folder), { recursive: true }).map((file) =>
      join(folder, String(file)),
    ),
  );
  const reading = [...files, "server.ts", "instrumentation.ts"].filter(
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
