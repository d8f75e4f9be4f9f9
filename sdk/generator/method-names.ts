/** The client's group of the operations of a path, and the nouns to drop from their names; the first match applies. */
const groups: [path: RegExp, group: string, nouns: RegExp][] = [
  [/^\/v1\/user\/api-keys|^\/v1\/user\/\{id\}\/api-keys/, "managedKeys", /(Managed|Service)?Keys?/],
  [/^\/v1\/user\/profile\/api-keys/, "keys", /ApiKeys?/],
  [/^\/v1\/user\/sessions|^\/v1\/user\/(session|tenants|portal-token)/, "sessions", /[sS]essions?/],
  [/^\/v1\/user\/(profile|password$|preferences|notices|sandboxes)/, "account", /Own(User)?/],
  [/^\/v1\/user\//, "users", /Users?/],
  [/^\/v1\/signup/, "tenants", /$/],
  [/^\/v1\/tenant\/sites/, "sites", /Sites?/],
  [/^\/v1\/tenant(\/|$)/, "tenant", /Tenant/],
  [/^\/v1\/tenants/, "tenants", /Tenants?/],
  [/^\/v1\/audit\//, "audit", /Audit/],
  [/^\/v1\/access\//, "access", /Access|Credentials|Token/],
  [/^\/v1\/customer\//, "shopper", /Customer/],
  [/^\/v1\/customers/, "customers", /Customers?/],
  [/^\/v1\/api-metrics\//, "metrics", /Metrics/],
  [/^\/pim\/preview/, "previews", /Previews?/],
];

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const uncapitalized = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

/** A group that is not in the table is named by the path: `/v1/webhooks/{id}` is `webhooks`, without the noun "Webhook". */
function groupOf(path: string): [group: string, nouns: RegExp] {
  const [, group, nouns] = groups.find(([pattern]) => pattern.test(path)) ?? [];
  if (group !== undefined && nouns !== undefined) return [group, nouns];
  const [, , segment = "other"] = path.split("/");
  const name = segment.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  return [name, new RegExp(`${capitalized(name).replace(/s$/, "")}s?`)];
}

/** Names that would be unclear without their noun. */
const exceptions: Readonly<Record<string, string>> = {
  createServiceUser: "createServiceUser",
  listUserSessions: "listSessions",
  endUserSessions: "endSessions",
  verifyCredentials: "verify",
  introspectToken: "introspect",
  exportOwnUser: "exportProfile",
};

/** The group and method name of an operation: `listUsers` of `/v1/user/list` is `users.list`. */
export function methodName(operationId: string, path: string): { group: string; method: string } {
  const [group, nouns] = groupOf(path);
  const method = exceptions[operationId] ?? uncapitalized(operationId.replace(nouns, ""));
  return { group, method: method === "" ? operationId : method };
}
