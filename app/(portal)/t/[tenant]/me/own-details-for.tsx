import { answered } from "@/app/(portal)/first-page";
import { callableBy, roleNames } from "@/app/(portal)/portal-view";
import { keyKeys } from "@/components/api-keys/query-keys";
import { connectionKeys } from "@/components/connections/query-keys";
import { secondFactorKeys } from "@/components/second-factors/query-keys";
import { sessionKeys } from "@/components/sessions/query-keys";
import { Seed } from "@/components/shell/seed";
import { OwnDetails } from "@/components/users/own-details";
import type { Caller } from "@/lib/access/caller";
import { listApiKeys } from "@/lib/features/api-keys/service";
import { listIdentities, listSignInConnections } from "@/lib/features/connections/identities";
import * as contract from "@/lib/features/connections/identity-contract";
import { weekOfKeys } from "@/lib/features/metrics/usage-summary";
import {
  countRecoveryCodes,
  listSecondFactors,
} from "@/lib/features/sessions/second-factors/service";
import { listSessions } from "@/lib/features/sessions/service";
import { getOwnProfile } from "@/lib/features/users/service";

/** In the shape of the page's own later request. */
async function ownFactors(caller: Caller) {
  const [factors, left] = await Promise.all([
    listSecondFactors(caller),
    countRecoveryCodes(caller),
  ]);
  return { factors, ...left };
}

/** The caller's accounts at identity providers, and the providers of the tenant. */
async function ownProviders(caller: Caller) {
  const [identities, connections] = await Promise.all([
    listIdentities(caller),
    listSignInConnections(caller.tenantId),
  ]);
  return {
    identities: answered(contract.listIdentities, identities),
    connections: answered(contract.listSignInConnections, connections),
  };
}

/** The page about the caller with its initial data. */
export async function ownDetailsFor(caller: Caller) {
  const tenant = caller.tenantId;
  const whole = { limit: 200 };
  const isHome = caller.homeTenantId === tenant;
  const [keys, sessions, profile, factors, providers] = await Promise.all([
    listApiKeys(caller, whole),
    listSessions(caller, whole),
    getOwnProfile(caller),
    isHome ? ownFactors(caller) : undefined,
    isHome ? ownProviders(caller) : undefined,
  ]);
  return (
    <Seed queryKey={keyKeys.own(tenant)} data={keys.items}>
      <Seed queryKey={sessionKeys.own(tenant)} data={sessions.items}>
        <Seed queryKey={keyKeys.ownWeeks(tenant)} data={await weekOfKeys(caller, keys.items)}>
          <Seed queryKey={secondFactorKeys.own(tenant)} data={factors}>
            <Seed queryKey={connectionKeys.own(tenant)} data={providers}>
              <OwnDetails user={profile} roleNames={roleNames()} callable={callableBy(caller)} />
            </Seed>
          </Seed>
        </Seed>
      </Seed>
    </Seed>
  );
}
