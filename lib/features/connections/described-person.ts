import type { z } from "zod";
import { EmailAddress, Label, NewLogin } from "@/lib/protocol/formats";
import { checkBody } from "@/lib/protocol/validation";
import { askForClaims, type Client, type Identified } from "./code-exchange";
import { SignInFailure } from "./failure";
import type { ConnectionRow } from "./rows";

export interface DescribedPerson {
  login: string;
  emailAddress: string;
  name: string;
}

export type Claims = Readonly<Record<string, unknown>>;

const verifiedClaim = "email_verified";

/** The claims of the ID token, and those of the userinfo endpoint where the connection needs one that the token lacks. */
export async function claimsOf(
  { loginClaim, emailClaim, nameClaim, domains }: ConnectionRow,
  client: Client,
  identified: Identified,
): Promise<Claims> {
  const { claims } = identified;
  const needed = [
    loginClaim,
    emailClaim,
    nameClaim,
    ...(domains.length > 0 ? [verifiedClaim] : []),
  ];
  const isComplete = needed.every((name) => Object.hasOwn(claims, name));
  return isComplete ? claims : { ...(await askForClaims(client, identified)), ...claims };
}

function claimAs<Text>(schema: z.ZodType<Text>, claims: Claims, name: string): Text {
  const value = Object.hasOwn(claims, name) ? claims[name] : undefined;
  if (value === undefined || value === null || value === "")
    throw new SignInFailure("claim-missing", name);
  const checked = checkBody(schema, value);
  if (checked.problems) throw new SignInFailure("claim-invalid", name);
  return checked.value;
}

/**
 * An address that the provider did not verify proves nothing of a domain. Some write what the claim says as text; one that leaves it
 * out lets nobody choose an address.
 */
function assertDomain(domains: readonly string[], emailAddress: string, claims: Claims): void {
  if (domains.length === 0) return;
  const domain = emailAddress.slice(emailAddress.lastIndexOf("@") + 1).toLowerCase();
  if (!domains.includes(domain)) throw new SignInFailure("domain-not-allowed", domain);
  const isVerified = Object.hasOwn(claims, verifiedClaim) ? claims[verifiedClaim] : true;
  if (isVerified !== true && isVerified !== "true")
    throw new SignInFailure("claim-invalid", verifiedClaim);
}

/** Somebody new as the provider describes them. Throws SignInFailure for a claim that is missing or unusable. */
export function describedPerson(connection: ConnectionRow, claims: Claims): DescribedPerson {
  const login = claimAs(NewLogin, claims, connection.loginClaim);
  const emailAddress = claimAs(EmailAddress, claims, connection.emailClaim);
  const name = claimAs(Label, claims, connection.nameClaim);
  assertDomain(connection.domains, emailAddress, claims);
  return { login, emailAddress, name };
}
