import { sitesOf } from "@/lib/access/sites";
import { type Claims, claimsOf, type DescribedPerson } from "./code-exchange";
import { type FailureKind, SignInFailure } from "./failure";
import { cellsOf } from "./group-plan";
import { findIdentity } from "./identity-rows";
import { findUnlinked } from "./provisioned-rows";
import {
  candidateOf,
  externalIdOf,
  groupsOf,
  keyOf,
  newPerson,
  type ProviderSignIn,
} from "./sign-in";

/** The outcome that a sign-in would have. */
export type TrialResult =
  | { is: "signs-in"; login: string }
  | { is: "creates"; person: DescribedPerson }
  | { is: "fails"; kind: FailureKind; value?: string | undefined };

/** The roles that the groups of the claim would grant. */
export interface TrialGroups {
  /** Roles with their sites, shortened for display. */
  roles: string[];
  /** The number of omitted ones. */
  more: number;
  /** The provider has more groups than fit in a token and refers to another endpoint for them. */
  isLeftOut: boolean;
}

export interface Trial {
  result: TrialResult;
  /** Undefined if the connection has no claim for groups. */
  groups: TrialGroups | undefined;
  /** Names and values of claims, shortened for display. */
  claims: [name: string, value: string][];
  /** The number of omitted ones. */
  more: number;
}

const maxShown = 24;
const maxValueLength = 80;
/** The limit for all names and values: they are sent in one cookie, which browsers limit to 4,096 bytes. */
const maxShownBytes = 1800;
const maxRoles = 8;

const shown = (value: unknown): string => {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  const points = [...text];
  return points.length > maxValueLength ? `${points.slice(0, maxValueLength).join("")}...` : text;
};

async function resultOf(signIn: ProviderSignIn, claims: Claims): Promise<TrialResult> {
  try {
    const key = keyOf(signIn);
    const externalId = externalIdOf(signIn);
    const known = await findIdentity(key);
    const found =
      known ?? (externalId === undefined ? undefined : await findUnlinked(key, externalId));
    if (found) return { is: "signs-in", login: (await candidateOf({ ...key, ...found })).login };
    return { is: "creates", person: newPerson(signIn, claims) };
  } catch (error) {
    if (!(error instanceof SignInFailure)) throw error;
    return { is: "fails", kind: error.kind, value: error.value };
  }
}

async function rolesByGroups(signIn: ProviderSignIn, claims: Claims): Promise<Trial["groups"]> {
  const { tenantId, groupsClaim, groupRoles } = signIn.connection;
  const names = await groupsOf(signIn);
  if (groupsClaim === null || names === null) return undefined;
  const siteIds = new Set((await sitesOf(tenantId)).keys());
  const cells = groupRoles
    .filter(({ group }) => names.includes(group))
    .flatMap((line) => cellsOf(line, siteIds))
    .map(({ siteId, roleId }) => (siteId === "" ? roleId : `${roleId} (${siteId})`));
  const roles = [...new Set(cells)];
  const elsewhere = claims._claim_names;
  const isNamed = typeof elsewhere === "object" && elsewhere !== null;
  const isLeftOut = isNamed && Object.hasOwn(elsewhere, groupsClaim);
  return { roles: roles.slice(0, maxRoles), more: Math.max(0, roles.length - maxRoles), isLeftOut };
}

/** Shows the provider's claims about a user and the outcome that a sign-in would have. Changes nothing. */
export async function tryOut(signIn: ProviderSignIn): Promise<Trial> {
  const { connection, client, identified } = signIn;
  const claims = await claimsOf(connection, client, identified);
  const all = Object.entries(claims);
  let bytes = 0;
  const read = all.slice(0, maxShown).flatMap(([name, value]): Trial["claims"] => {
    const one: Trial["claims"][number] = [name.slice(0, 64), shown(value)];
    bytes += Buffer.byteLength(JSON.stringify(one));
    return bytes > maxShownBytes ? [] : [one];
  });
  const groups = await rolesByGroups(signIn, claims);
  const more = all.length - read.length;
  return { result: await resultOf(signIn, claims), groups, claims: read, more };
}
