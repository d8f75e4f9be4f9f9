import { secondFactorRequiredFrom } from "@/lib/access/sign-in-rules";
import { policyOf } from "@/lib/access/sites";
import { findMemberCandidate, type LoginCandidate } from "@/lib/features/users/login-candidate";

type Person = Pick<LoginCandidate, "userId" | "homeTenantId" | "roles">;

/**
 * From when on a second factor is required of the person: by the tenant, or by the home tenant, which keeps the factors. Undefined where
 * neither does.
 */
export async function requiredFrom(tenantId: string, person: Person): Promise<Date | undefined> {
  const { homeTenantId } = person;
  const here = secondFactorRequiredFrom(await policyOf(tenantId), person.roles);
  if (homeTenantId === tenantId) return here;
  const atHome = await findMemberCandidate(homeTenantId, person);
  const there = atHome && secondFactorRequiredFrom(await policyOf(homeTenantId), atHome.roles);
  const [first] = [here, there].filter((at) => at !== undefined).toSorted((a, b) => +a - +b);
  return first;
}

/** Whether the person has to set up a second factor before a password opens a session. */
export async function mustSetUp(
  tenantId: string,
  person: Person & Pick<LoginCandidate, "hasSecondFactor">,
): Promise<boolean> {
  if (person.hasSecondFactor) return false;
  const from = await requiredFrom(tenantId, person);
  return from !== undefined && from <= new Date();
}
