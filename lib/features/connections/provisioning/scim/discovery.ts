import { listOf, maxCount } from "./lists";
import { ScimError } from "./scim-error";

/*
 * Discovery documents for providers: the capabilities of this service, its resource types, and their attributes
 * (RFC 7643, 5 to 7).
 */

const core = "urn:ietf:params:scim:schemas:core:2.0";

const unsupported = { supported: false };

const serviceProviderConfig = (base: string) => ({
  schemas: [`${core}:ServiceProviderConfig`],
  documentationUri: new URL("/docs/provisioning", base).href,
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: maxCount },
  changePassword: unsupported,
  sort: unsupported,
  etag: unsupported,
  authenticationSchemes: [
    {
      type: "oauthbearertoken",
      name: "Bearer token",
      description: "The token that the portal shows once for the connection",
      primary: true,
    },
  ],
  meta: { resourceType: "ServiceProviderConfig", location: `${base}/ServiceProviderConfig` },
});

interface Attribute {
  name: string;
  description: string;
  type?: "string" | "boolean" | "complex" | "reference";
  required?: boolean;
  caseExact?: boolean;
  uniqueness?: "none" | "server";
  multiValued?: boolean;
  mutability?: "readWrite" | "readOnly";
  subAttributes?: object[];
}

const attribute = (given: Attribute) => ({
  type: "string",
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: "readWrite",
  returned: "default",
  uniqueness: "none",
  ...given,
});

const userAttributes = () => [
  attribute({
    name: "userName",
    description: "The login",
    required: true,
    uniqueness: "server",
  }),
  attribute({
    name: "externalId",
    description: "What the provider calls the person",
    caseExact: true,
  }),
  attribute({ name: "displayName", description: "The name that is shown" }),
  attribute({
    name: "name",
    description: "The parts of the name",
    type: "complex",
    subAttributes: [
      attribute({ name: "formatted", description: "The name that is shown" }),
      attribute({ name: "givenName", description: "The given name" }),
      attribute({ name: "familyName", description: "The family name" }),
    ],
  }),
  attribute({
    name: "emails",
    description: "E-mail addresses, of which one is kept",
    type: "complex",
    multiValued: true,
    subAttributes: [
      attribute({ name: "value", description: "The address" }),
      attribute({ name: "type", description: "What it is used for" }),
      attribute({ name: "primary", description: "Whether it is kept", type: "boolean" }),
    ],
  }),
  attribute({
    name: "active",
    description: "Whether the person may sign in. False ends sessions and API keys everywhere",
    type: "boolean",
  }),
];

const groupAttributes = () => [
  attribute({
    name: "displayName",
    description: "The name, which the roles of a connection's groups name",
    required: true,
    uniqueness: "server",
  }),
  attribute({
    name: "externalId",
    description: "What the provider calls the group",
    caseExact: true,
  }),
  attribute({
    name: "members",
    description: "Users of the connection",
    type: "complex",
    multiValued: true,
    subAttributes: [
      attribute({ name: "value", description: "The id of a user", caseExact: true }),
      attribute({ name: "display", description: "The user's name", mutability: "readOnly" }),
      attribute({ name: "type", description: "Always User", mutability: "readOnly" }),
      attribute({
        ...{ name: "$ref", description: "The address of the user", type: "reference" },
        ...{ caseExact: true, mutability: "readOnly" },
      }),
    ],
  }),
];

interface ResourceKind {
  /** Also the name of its schema. */
  id: string;
  endpoint: string;
  description: string;
  attributes: () => object[];
}

const kinds: ResourceKind[] = [
  {
    id: "User",
    endpoint: "/Users",
    description: "A person of the tenant",
    attributes: userAttributes,
  },
  {
    id: "Group",
    endpoint: "/Groups",
    description: "A group of people of the tenant",
    attributes: groupAttributes,
  },
];

const resourceType = ({ id, endpoint, description }: ResourceKind, base: string) => ({
  schemas: [`${core}:ResourceType`],
  ...{ id, name: id, endpoint, description, schema: `${core}:${id}` },
  schemaExtensions: [],
  meta: { resourceType: "ResourceType", location: `${base}/ResourceTypes/${id}` },
});

const schemaOf = ({ id, description, attributes }: ResourceKind, base: string) => ({
  schemas: [`${core}:Schema`],
  ...{ id: `${core}:${id}`, name: id, description, attributes: attributes() },
  meta: { resourceType: "Schema", location: `${base}/Schemas/${core}:${id}` },
});

function oneOrAll(all: { id: string }[], id: string | undefined): object {
  if (id === undefined) return listOf(all.length, 1, all);
  const found = all.find((one) => one.id === id);
  if (found) return found;
  throw new ScimError(404, undefined, "There is no such resource type or schema.");
}

/** The response of a discovery path; undefined for any other path. */
export function discovered(base: string, name: string, id: string | undefined): object | undefined {
  if (name === "ServiceProviderConfig" && id === undefined) return serviceProviderConfig(base);
  if (name === "ResourceTypes")
    return oneOrAll(
      kinds.map((kind) => resourceType(kind, base)),
      id,
    );
  if (name === "Schemas")
    return oneOrAll(
      kinds.map((kind) => schemaOf(kind, base)),
      id,
    );
  return undefined;
}
