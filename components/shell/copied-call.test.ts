import { describe, expect, test } from "vitest";
import { formatKey } from "@/components/api-keys/key-formats";
import { type TriedOperation, curlOf as triedCall } from "@/components/docs/try-request";
import { curlOf as countsCall } from "@/components/metrics/share";
import { metricsDefaults } from "@/components/metrics/state";
import { curlSample } from "@/lib/catalogue/reference/samples";
import { argumentsIn, hostileTexts } from "@/lib/protocol/testing/shell";
import { curlByKey, curlOf, fetchOf } from "./copied-call";
import type { ViewCall } from "./view-call";

const place = { tenant: "acme", origin: "https://portal.example" };
const call: ViewCall = {
  operation: "GET /v1/user/list",
  site: "eu",
  query: { q: "O'Hara & $(id) 50%", sort: "-name" },
};

test("a shell reads the copied curl correctly for any search text", () => {
  expect(argumentsIn(curlOf(call, place), { API_KEY: "svk_1" })).toEqual([
    "--get",
    "https://portal.example/v1/user/list",
    "-H",
    "X-Service-Tenant: acme",
    "-H",
    "X-Service-Site: eu",
    "-H",
    "X-Service-API-Key: svk_1",
    "--data-urlencode",
    "q=O'Hara & $(id) 50%",
    "--data-urlencode",
    "sort=-name",
  ]);
});

const tried: TriedOperation = {
  method: "PUT",
  path: "/pim/preview/{key}/configuration",
  address: place.origin,
  parameters: [
    { name: "key", place: "path", required: true },
    { name: "q", place: "query", required: false },
    { name: "If-Match", place: "header", required: true },
  ],
  body: { example: "{}", mediaType: "application/json" },
  accepts: ["apiKey"],
  needsTenant: true,
  needsSite: true,
  isChange: true,
  tenant: "acme",
  site: "",
  isSignedIn: true,
};
const plain = (text: string) => text.replaceAll(/\p{Cc}/gu, "");
const inQuery = (text: string) => new URLSearchParams({ q: text }).toString().slice(2);
/** A query parameter: plain, or encoded when a shell would interpret it. */
const asParameter = (name: string, text: string) => [
  plain(text) === text ? "--data-urlencode" : "-d",
  `${name}=${plain(text) === text ? text : encodeURIComponent(text)}`,
];
const day = { from: 0, to: 86_400_000 };
const key = { apiKeyId: "key_1", validTo: "2030-01-01T00:00:00Z" };

/** Each function that writes a curl command, with one text for all user input, and the arguments that curl must get. */
const places: [name: string, write: (text: string) => string, given: (text: string) => string[]][] =
  [
    [
      "the palette's view",
      (text) => curlOf({ ...call, site: text, query: { q: text } }, place),
      (text) => [`X-Service-Site: ${plain(text)}`, ...asParameter("q", text)],
    ],
    [
      "an empty list's call",
      (text) => curlByKey(place, "/v1/user/list", { query: [["q", text]] }),
      (text) => asParameter("q", text),
    ],
    [
      "the metrics page",
      (text) =>
        countsCall(
          place,
          { ...metricsDefaults, zone: "UTC", endpoint: [text], site: ["eu", text], apiKey: [text] },
          day,
        ),
      (text) => ["site", "endpoint", "apiKey"].flatMap((name) => asParameter(name, text)),
    ],
    [
      "a new key",
      (text) => formatKey("curl", { ...key, apiKey: text }, { ...place, tenant: text, path: "/" }),
      (text) => [`X-Service-Tenant: ${plain(text)}`, `X-Service-API-Key: ${plain(text)}`],
    ],
    [
      "a sample of the reference",
      (text) =>
        curlSample({
          method: "PUT",
          url: `${place.origin}/${encodeURIComponent(text)}`,
          headers: [["X-Service-Tenant", text.replace(/\$[A-Z_]+$/, "")]],
          body: { text },
        }),
      (text) => [
        `${place.origin}/${encodeURIComponent(text)}`,
        `X-Service-Tenant: ${plain(text.replace(/\$[A-Z_]+$/, ""))}`,
        JSON.stringify({ text }, null, 2).replaceAll(/(?!\n)\p{Cc}/gu, ""),
      ],
    ],
    [
      "a tried request",
      (text) =>
        triedCall(tried, {
          ...{ credential: "apiKey", secret: "", tenant: text, site: text, body: text },
          values: { "path key": text, "query q": text, "header If-Match": text },
        }),
      (text) => [
        `${place.origin}/pim/preview/${encodeURIComponent(text)}/configuration?q=${inQuery(text)}`,
        `X-Service-Tenant: ${plain(text)}`,
        `X-Service-Site: ${plain(text)}`,
        `If-Match: ${plain(text)}`,
        text.replaceAll(/(?![\n\t])\p{Cc}/gu, ""),
      ],
    ],
  ];

describe.each(places)("%s", (_, write, given) => {
  test.each(hostileTexts)("gives curl %j as a value, and nothing to the shell", (text) => {
    const words = argumentsIn(write(text), { API_KEY: "svk_1" });
    expect(words).toEqual(expect.arrayContaining(given(text)));
    expect(write(text)).not.toMatch(/(?![\n\t])\p{Cc}/u);
  });
});

test("the copied fetch sends the same request, with the session when no key is accepted", () => {
  expect(fetchOf(call, place)).toContain(
    'fetch("https://portal.example/v1/user/list?q=O%27Hara+%26+%24%28id%29+50%25&sort=-name", {',
  );
  const requests = { operation: "GET /v1/requests", needsSession: true } as const;
  expect(fetchOf(requests, place)).toContain('"X-Service-Session-Id": process.env.SESSION');
  expect(curlOf(requests, place)).toContain('-H "X-Service-Session-Id: $SESSION"');
});
