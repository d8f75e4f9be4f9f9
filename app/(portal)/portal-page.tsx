import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { AccessDenied } from "@/components/shell/access-denied";
import { Seed } from "@/components/shell/seed";
import { translated } from "@/components/texts/t";
import { AskForAccess } from "@/components/users/ask-for-access";
import { userKeys } from "@/components/users/query-keys";
import type { Caller } from "@/lib/access/caller";
import { roles, rolesWith } from "@/lib/access/roles";
import { answerPageWith, findPortalCaller, portalCaller } from "@/lib/features/portal/portal";
import { listAccessRequests } from "@/lib/features/users/access-requests";
import { ApiError } from "@/lib/protocol/errors";
import { type Permission, permissions } from "@/lib/protocol/permissions";
import { roleNamesWith } from "./portal-view";

interface PageNeeds {
  tenant: string;
  /** The page's own address, to return to after signing in. */
  path: string;
  permission?: Permission;
  /** A role at a site is not enough. */
  isTenantWide?: boolean;
  site?: string | undefined;
}

const deniedCodes: ReadonlySet<string> = new Set([
  "auth.permission-missing",
  "user.no-role",
  "user.locked",
  "user.deactivated",
]);

/** The form to request a role that opens the page, with the caller's earlier requests. */
async function askFor({ tenant, site, isTenantWide }: PageNeeds, permission: Permission) {
  const asked = await listAccessRequests(await findPortalCaller({ tenant }));
  return (
    <Seed queryKey={userKeys.accessRequests(tenant)} data={asked}>
      <AskForAccess
        roles={rolesWith(permission).map((id) => ({ id, name: translated(roles[id].name) }))}
        site={isTenantWide ? undefined : site}
      />
    </Seed>
  );
}

/** The page shown instead to a caller who may not open the requested one: a 403. */
async function deniedPage(needs: PageNeeds, error: ApiError): Promise<ReactNode> {
  await answerPageWith(403);
  const permission = permissions.find(
    (one) => error.code === "auth.permission-missing" && one === error.reason,
  );
  return (
    <AccessDenied
      detail={error.message}
      permission={permission}
      roles={permission ? roleNamesWith(permission) : []}
      home={`/t/${needs.tenant}`}
    >
      {permission ? await askFor(needs, permission) : null}
    </AccessDenied>
  );
}

/** Renders a page for the caller, or a 403 page if the caller may not open it. */
export async function portalPage(
  needs: PageNeeds,
  render: (caller: Caller) => Promise<ReactNode>,
): Promise<ReactNode> {
  let caller: Caller;
  try {
    caller = await portalCaller(needs);
  } catch (error) {
    if (!(error instanceof ApiError && deniedCodes.has(error.code))) throw error;
    return deniedPage(needs, error);
  }
  return render(caller).catch((error: unknown) => {
    // The address contains an impossible value, such as an invalid id: not a failure of the service.
    if (error instanceof ApiError && (error.status === 400 || error.status === 404)) notFound();
    throw error;
  });
}

/** The single value of a query parameter. */
export function one(value: string | string[] | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
