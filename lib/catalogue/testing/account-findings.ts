import { permissionsOf, roleIds } from "@/lib/access/roles";
import type { Rights } from "./account-chains";
import type { AccountWorld, Credential } from "./account-world";

const guarded: readonly string[] = ["tenant.admin", "portal.users.mgmt"];
const grantable = new Set(
  roleIds.filter((id) => !guarded.includes(id)).flatMap((id) => [...permissionsOf(id)]),
);

/** Permissions that a user may have, or grant on the record: user.manage in a session grants all roles except the guarded ones. */
export function mayHave(own: Rights, isSession: boolean): Rights {
  return new Map(
    [...own].map(([place, held]) => [
      place,
      isSession && held.has("user.manage") && place.startsWith("A")
        ? new Set([...held, ...grantable])
        : held,
    ]),
  );
}

/** The first permission, with its place, that only the first of the two has. */
export function beyond(rights: Rights, limit: Rights): string | undefined {
  for (const [place, held] of rights)
    for (const permission of held)
      if (!limit.get(place)?.has(permission)) return `${permission} in ${place}`;
  return undefined;
}

interface Judged {
  caller: Credential;
  /** The permissions of each user at the start. */
  before: Map<string, Rights>;
  /** The users whose roles the caller has set, which removes and grants on the record. */
  granted: readonly string[];
}

/** The findings after some steps: another user's account, or more permissions than before. */
export function findings(
  world: AccountWorld,
  measured: { credential: Credential; userId: string | undefined; rights: Rights }[],
  { caller, before, granted }: Judged,
): string[] {
  const own = before.get(caller.name) ?? new Map();
  const limit = mayHave(own, "X-Service-Session-Id" in caller.headers);
  return measured.flatMap(({ credential, userId, rights }) => {
    const more = beyond(rights, credential === caller ? own : limit);
    const whose = world.subjects.find((one) => one.userId === userId)?.name;
    const isOthers = whose !== undefined && credential !== caller && !granted.includes(whose);
    const taken = !isOthers ? undefined : beyond(before.get(whose) ?? new Map(), own);
    return [
      ...(more === undefined ? [] : [`${credential.name} may do ${more}`]),
      ...(taken === undefined
        ? []
        : [`${credential.name} is the account of ${whose}, who may do ${taken}`]),
    ];
  });
}
