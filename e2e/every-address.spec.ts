import { readdirSync, readFileSync } from "node:fs";
import { viewParameters } from "@/lib/features/views/values";
import { pagesOfOne } from "./support/one-of-each";
import { enterOwnTenant, nobody } from "./support/own-tenant";
import { expect, test } from "./support/portal";
import { callAs, fetchAdmitted } from "./support/service-calls";

/**
 * Every page x every parameter x every wrong value: no address causes an error of the service. Pages are the folders of
 * `app`, parameters are those of saved views and those that any page or component reads, so that a new one is included automatically.
 */

const files = (folder: string, name: RegExp) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => name.test(file))
    .map((file) => `${folder}/${file}`);

/** The paths of all pages, with their parameters in brackets. */
const pages = files("app", /(^|\/)page\.tsx$/).map(
  (file) => file.replace(/^app|\/page\.tsx$/g, "").replaceAll(/\/\([^)]*\)/g, "") || "/",
);

/** Names that pages and components read from an address: `asked.site`, `params.get("peek")`, `q: parseAsString`, `useAddress(["show"])`. */
function parametersRead(): string[] {
  const reads = [
    /(?:asked|query|params|searchParams|useSearchParams\(\))\)?\.(?:get|has)\("(\w+)"\)/g,
    /\b(\w+): (?:parseAs|list\b|groups\.)/g,
    /await searchParams\)\.(\w+)/g,
    /useNotedUsers|useNoted\("(\w+)"/g,
  ];
  const texts = files("components", /\.tsx?$/)
    .concat(files("app", /\.tsx?$/))
    .map((file) => readFileSync(file, "utf8"));
  const destructured = texts.flatMap((text) =>
    [...text.matchAll(/const \{([^}]*)\} = await searchParams/g)].flatMap(([, names = ""]) =>
      names.split(",").map((name) => name.trim()),
    ),
  );
  const read = texts.flatMap((text) =>
    reads.flatMap((pattern) => [...text.matchAll(pattern)].flatMap(([, name]) => name ?? [])),
  );
  return [...new Set([...Object.values(viewParameters).flat(), ...read, ...destructured])].sort();
}

/** The wrong values, encoded for an address. */
const wrong = {
  nothing: "",
  garbage: "garbage",
  markup: "%22%3E%3Cscript%3E%7B%7D",
  NUL: "a%00b",
  "no UTF-8": "%FF%FE",
  "half a character": "%ED%A0%80",
  "a reversed direction": "%E2%80%AEabc",
  "an invisible character": "%E2%80%8B",
  long: "x".repeat(4000),
  negative: "-1",
  "a large number": "99999999999999999999",
  "no number": "NaN",
  "a zone that is none": "Foo%2FBar",
  "a cursor of another list": "WyJhIiwiYiIsImMiXQ",
  "a day that is none": "2026-02-30",
  "the first year": "0001-01-01T00:00:00Z",
  "the last year": "9999-12-31T23:59:59.999Z",
  "commas and stops": ",,.,..%2F",
  object: "%5Bobject%20Object%5D",
};

let turn = 0;

/**
 * The wrong values for a path segment. A wrong tenant is handled in one place, before the page, so every page gets only four of them
 * in turn, and every value is used for several pages.
 */
function wrongFor(name: string): string[] {
  const all = Object.values(wrong);
  if (name !== "tenant") return all;
  turn += 4;
  return [0, 1, 2, 3].map((next) => all[(turn + next) % all.length] ?? "");
}

/** Matches a failed page: by its text, or by the marker of one that could not be rendered on the server. */
const failure = /could not be shown|data-dgst="(?!NEXT_)|Internal Server Error/;

interface Outcome {
  status: number;
  /** Whether the final page shows an error. */
  isFailed: boolean;
}

const base = process.env.E2E_BASE_URL ?? "";

/** The sign-in page treats its destination as text, so one request for the tenant's home covers all of its pages. */
const withoutPage = (address: string) =>
  address.replace(/^(\/sign-in\?next=%2Ft%2F(?:(?!%2F).)*)%2F.*/, "$1");

/**
 * Requests each address once: addresses with wrong values redirect to the same page without them, whose response is requested only
 * once.
 */
function askOnce(headers: Record<string, string>): (address: string) => Promise<Outcome> {
  const known = new Map<string, Outcome>();
  const ask = async (address: string): Promise<Outcome> => {
    // Until it has an outcome: a redirect back to this address is a loop.
    known.set(address, { status: 508, isFailed: true });
    const answer = await fetchAdmitted(base + address, { headers, redirect: "manual" });
    const text = await answer.text();
    const next = answer.headers.get("location");
    if (answer.status < 300 || answer.status >= 400 || next === null)
      return { status: answer.status, isFailed: failure.test(text) };
    const { pathname, search } = new URL(next, base + address);
    return askKnown(withoutPage(pathname + search));
  };
  const askKnown = async (address: string): Promise<Outcome> => {
    const outcome = known.get(address) ?? (await ask(address));
    known.set(address, outcome);
    return outcome;
  };
  return askKnown;
}

const isOfPlatform = (address: string) => address.startsWith("/platform/");

test.use({ storageState: nobody });

test("no address of a page returns 500", async ({ page }) => {
  test.setTimeout(900_000);
  const tenant = await enterOwnTenant(page, "addresses");
  const ones = await pagesOfOne(page, tenant);
  const key = { key: "home", configuration: { title: "A" } };
  const headers = { "X-Service-Site": "shop" };
  await callAs(page, "POST /pim/preview", { tenant, data: key, headers });
  const { id } = await (await callAs(page, "GET /v1/user/profile", { tenant })).json();
  const cookie = (await page.context().cookies())
    .map(({ name, value }) => `${name}=${value}`)
    .join("; ");
  const right: Record<string, string> = { tenant, site: "shop", key: "home", n: "1", id };
  right.operation = "get-v1-user-list";
  right.code = "user.locked";
  right.guide = "quick-start";
  const filled = (template: string, other: Record<string, string> = {}) => {
    const place = template.replace("[tenant]", tenant).split("/[id]")[0] ?? "";
    const one = ones.find((address) => address.startsWith(`${place.replace("[site]", "shop")}/`));
    const values: Record<string, string> = {
      ...right,
      ...(one && { id: one.split("/").at(-1) ?? "" }),
      ...other,
    };
    return template.replace(/\[(\w+)\]/g, (_, name: string) => values[name] ?? `no ${name}`);
  };
  const faults: string[] = [];
  const ask = askOnce({ cookie, accept: "text/html" });
  const visit = async (address: string, isRight: (status: number) => boolean) => {
    const { status, isFailed } = await ask(address);
    if (!isRight(status) || isFailed) faults.push(`${status} ${address.slice(0, 200)}`);
    return status;
  };
  const parameters = parametersRead();
  expect(parameters).toEqual(expect.arrayContaining(["zone", "cursor", "peek", "next", "q"]));
  for (const template of pages) {
    const place = filled(template);
    // A tenant's administrator may not open the platform's tenants.
    const usual = await visit(place, (status) => status === (isOfPlatform(place) ? 403 : 200));
    const asUsual = (status: number) => status === usual;
    const own = Object.entries(viewParameters).find(([one]) => place.endsWith(`/${one}`))?.[1];
    const queries = Object.values(wrong).flatMap((value) => [
      parameters.map((name) => `${name}=${value.slice(0, 120)}`).join("&"),
      ...(own ? ["cursor", ...own] : []).map((name) => `${name}=${value}`),
    ]);
    const all = [...queries, "from=2026-03-09&to=2026-03-02", "q=a&q=b&zone=&zone=Foo"];
    const named = [...template.matchAll(/\[(\w+)\]/g)].flatMap(([, name = ""]) =>
      wrongFor(name).map((value) => filled(template, { [name]: value || "-" })),
    );
    const visits = [
      ...all.map((query) => () => visit(`${place}?${query}`, asUsual)),
      ...named.map((address) => () => visit(address, (status) => status < 500)),
    ];
    // One at a time, because other tests use the same product.
    for (const one of visits) await one();
  }
  expect(faults).toEqual([]);
});

test("no path under /api/auth returns 500", async () => {
  test.setTimeout(600_000);
  const base = `${process.env.E2E_BASE_URL}/api/auth`;
  const actions = ["session", "csrf", "providers", "signin", "signout", "callback", "error"];
  const paths = [...actions, "verify-request", "_log", "nothing"].flatMap((action) =>
    ["", "/credentials", "/switch", "/nothing", "/a/b"].map((rest) => `/${action}${rest}`),
  );
  const first = await fetchAdmitted(`${base}/csrf`);
  const { csrfToken } = await first.json();
  const cookie = first.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
  const json = "application/json";
  const credentials = {
    tenant: 5,
    login: {},
    password: [],
    callbackUrl: 7,
    csrfToken,
    json: "true",
  };
  const bodies = [
    ...["", "{", "null", "[]", JSON.stringify(credentials)].map((body) => [json, body] as const),
    [
      "application/x-www-form-urlencoded",
      `tenant=%00&login=%FF&password=&callbackUrl=http%3A%2F%2F&csrfToken=${csrfToken}`,
    ] as const,
    ["text/plain", "x"] as const,
  ];
  const queries = ["", "?callbackUrl=", "?callbackUrl=%00", "?error=%E2%80%AE", "?csrf=true"];
  const faults: string[] = [];
  const visit = async (path: string, method: string, type?: string, body?: string) => {
    const headers = { cookie, ...(type && { "Content-Type": type }) };
    const sent = { method, headers, redirect: "manual" as const, body: body ?? null };
    const { status } = await fetchAdmitted(base + path, sent);
    if (status >= 500) faults.push(`${status} ${method} ${path} ${type} ${body}`);
  };
  for (const path of paths) {
    for (const query of queries)
      for (const method of ["GET", "HEAD"]) await visit(path + query, method);
    for (const [type, body] of bodies) await visit(path, "POST", type, body);
  }
  expect(faults).toEqual([]);
  const led = await fetchAdmitted(`${base}/callback/credentials`, { redirect: "manual" });
  expect([led.status, led.headers.get("location")]).toEqual([307, "/sign-in"]);
});
