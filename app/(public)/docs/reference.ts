import type { ListedOperation } from "@/components/docs/operation-list";
import type { OperationPage } from "@/components/docs/operation-reference";
import { meant, noteOf, schemaPart, typeOf } from "@/components/docs/schema-fields";
import type { TriedOperation } from "@/components/docs/try-request";
import { tagOf } from "@/lib/catalogue/openapi/tags";
import { operations, slugOf } from "@/lib/catalogue/operations";
import type { Reader } from "@/lib/catalogue/reference/examples";
import {
  type DescribedBody,
  findOperationDetails,
} from "@/lib/catalogue/reference/operation-details";
import { methodOf, pathOf } from "@/lib/protocol/endpoint";
import { bearerDeprecationNote } from "@/lib/protocol/http-fields";
import { publicUrl } from "@/lib/protocol/settings";

const credentialNames = {
  session: "session",
  apiKey: "API key",
  bearer: "management bearer",
  anonymous: "anonymous bearer token",
  customer: "logged-in bearer token",
  share: "access token of a share",
};

/** Every operation, grouped by topic. */
export function operationGroups(): { name: string; operations: ListedOperation[] }[] {
  const groups = new Map<string, ListedOperation[]>();
  for (const declared of operations) {
    const name = tagOf(declared);
    const { operation, summary, permission } = declared;
    groups.set(name, [
      ...(groups.get(name) ?? []),
      { operation, summary, permission, href: `/docs/${slugOf(declared)}` },
    ]);
  }
  return [...groups].map(([name, listed]) => ({ name, operations: listed }));
}

const json = (value: unknown) => JSON.stringify(value, null, 2);

interface PageReader extends Reader {
  isSignedIn?: boolean;
}

type Details = NonNullable<ReturnType<typeof findOperationDetails>>;

const triedBy = {
  session: "session",
  apiKey: "apiKey",
  bearer: "bearer",
  anonymous: "bearer",
  customer: "bearer",
} as const;

/** The data for sending a request from the page. */
function triedOperation(
  { declared, parameters, body, schemas }: Details,
  reader: PageReader,
): TriedOperation {
  const method = methodOf(declared);
  const { tenant, site, isSignedIn = false } = reader;
  const isForm = declared.consumes !== "application/json";
  const example =
    body && (isForm ? String(new URLSearchParams(Object(body.example))) : json(body.example));
  return {
    ...{ method, path: pathOf(declared), address: publicUrl(), tenant, site, isSignedIn },
    parameters: parameters.map(({ name, in: place, required = false, schema }) => {
      const { enum: choices } = meant(schema, schemas) ?? {};
      return {
        name,
        place,
        required,
        ...(Array.isArray(choices) && { choices: choices.map(String) }),
      };
    }),
    ...(example === undefined ? {} : { body: { example, mediaType: declared.consumes } }),
    accepts: [
      ...new Set(declared.credentials.flatMap((kind) => (kind === "share" ? [] : [triedBy[kind]]))),
    ],
    needsTenant: declared.scope !== "none",
    needsSite: declared.scope === "site",
    isChange: method !== "GET" && !declared.replay?.isSafe,
  };
}

/** The operation with this slug, as its page shows it to a user of that tenant. */
export function operationPage(slug: string, reader: PageReader): OperationPage | undefined {
  const details = findOperationDetails(slug, reader);
  if (!details) return undefined;
  const { declared, description, access, body, answer, headers, errors, samples } = details;
  const { operation, summary, status } = declared;
  const partOf = (described: DescribedBody | undefined) =>
    described && {
      part: schemaPart(described.schema, details.schemas),
      example: json(described.example),
      mediaTypes: described.mediaTypes,
    };
  return {
    ...{ operation, summary, description, status, access, headers, errors },
    credentials: declared.credentials.map((one) =>
      one === declared.deprecatedCredential
        ? `${credentialNames[one]} (${bearerDeprecationNote})`
        : credentialNames[one],
    ),
    parameters: details.parameters.map((one) => ({
      name: one.name,
      place: one.in,
      required: one.required === true,
      type: typeOf(meant(one.schema, details.schemas) ?? {}, details.schemas),
      note: noteOf({ ...(meant(one.schema, details.schemas) ?? {}), description: one.description }),
    })),
    body: partOf(body),
    answer: partOf(answer),
    tried: triedOperation(details, reader),
    samples: [
      { label: "curl", code: samples.curl },
      { label: "TypeScript", code: samples.typeScript },
      { label: "Python", code: samples.python },
    ],
  };
}
