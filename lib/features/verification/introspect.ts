import type { z } from "zod";
import type { Caller } from "@/lib/access/caller";
import { publicUrl } from "@/lib/protocol/settings";
import type { introspectToken as declared } from "./contract";
import { verifyCredentials } from "./verify";

type Question = z.output<NonNullable<typeof declared.body>>;
type Introspection = z.input<NonNullable<typeof declared.answer>>;

const tokenTypes = {
  apiKey: "ApiKey",
  session: "Session",
  bearer: "Bearer",
  customer: "Bearer",
} as const;

/** The prefix distinguishes the kinds; anything else can only be a token. */
function memberFor(token: string): "apiKey" | "sessionId" | "token" {
  if (token.startsWith("svk_")) return "apiKey";
  return token.startsWith("svs_") ? "sessionId" : "token";
}

/** What RFC 7662 answers about a credential. Nothing else is said of an inactive one. */
export async function introspectToken(
  caller: Caller,
  { token, address, site }: Question,
): Promise<Introspection> {
  const asked = { ...(address !== undefined && { address }), ...(site !== undefined && { site }) };
  const presented = { [memberFor(token)]: token, ...asked };
  const [verdict] = await verifyCredentials(caller, [presented]);
  if (!verdict?.active || verdict.kind === undefined) return { active: false };
  const { kind, subject, login, scopes = [], expiresAt } = verdict;
  return {
    active: true,
    scope: scopes.join(" "),
    ...(login !== undefined && { username: login }),
    token_type: tokenTypes[kind],
    ...(expiresAt !== undefined && { exp: Math.floor(Date.parse(expiresAt) / 1000) }),
    ...(subject !== undefined && { sub: subject }),
    iss: publicUrl(),
    kind,
    tenant: caller.tenantId,
  };
}
