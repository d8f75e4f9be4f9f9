import type { z } from "zod";
import { EmailAddress, Label, NewLogin } from "@/lib/protocol/formats";
import { askForClaims, type Client, type Identified } from "./code-exchange";
import { SignInFailure } from "./failure";
import type { ConnectionRow } from "./rows";

export interface DescribedPerson {
  login: string;
  emailAddress: string;
  name: string;
}

export type Claims = Readonly<Record<string, unknown>>;

/** The claims of the ID token, and those of the userinfo endpoint where the connection needs one that the token lacks. */
export async function claimsOf(
  { loginClaim, emailClaim, nameClaim }: ConnectionRow,
  client: Client,
  identified: Identified,
): Promise<Claims> {
  const { claims } = identified;
  const isComplete = [loginClaim, emailClaim, nameClaim].every((name) =>
    Object.hasOwn(claims, name),
  );
  return isComplete ? claims : { ...(await askForClaims(client, identified)), ...claims };
}

function claimAs<Text>(schema: z.ZodType<Text>, claims: Claims, name: string): Text {
  const value = Object.hasOwn(claims, name) ? claims[name] : undefined;
  if (value === undefined || value === null || value === "")
    throw new SignInFailure("claim-missing", name);
  const { success, data } = schema.safeParse(value);
  if (!success) throw new SignInFailure("claim-invalid", name);
  return data;
}

/** An address that the provider did not verify proves nothing of a domain. */
function assertDomain(domains: readonly string[], emailAddress: string, claims: Claims): void {
  if (domains.length === 0) return;
  const domain = emailAddress.slice(emailAddress.lastIndexOf("@") + 1).toLowerCase();
  if (!domains.includes(domain)) throw new SignInFailure("domain-not-allowed", domain);
  if (claims.email_verified === false) throw new SignInFailure("claim-invalid", "email_verified");
}

/** Somebody new as the provider describes them. Throws SignInFailure for a claim that is missing or unusable. */
export function describedPerson(connection: ConnectionRow, claims: Claims): DescribedPerson {
  const login = claimAs(NewLogin, claims, connection.loginClaim);
  const emailAddress = claimAs(EmailAddress, claims, connection.emailClaim);
  const name = claimAs(Label, claims, connection.nameClaim);
  assertDomain(connection.domains, emailAddress, claims);
  return { login, emailAddress, name };
}
