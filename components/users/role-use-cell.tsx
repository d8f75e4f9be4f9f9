import { rich } from "@/components/texts/rich";
import { t } from "@/components/texts/t";
import { Instant } from "@/components/ui/instant";
import type { LastUse } from "@/lib/catalogue/access-contract";
import { holdsAt, type RoleFacts, wholeTenant } from "./access-changes";
import { roleUse } from "./access-use";
import type { TenantRoles } from "./role-list";

interface RoleUseCellProps {
  role: RoleFacts;
  base: TenantRoles;
  sites: string[];
  /** Undefined until it is loaded. */
  use: LastUse | undefined;
}

/** The last use of a user's role at each place. */
export function RoleUseCell({ role, base, sites, use }: RoleUseCellProps) {
  const held = [wholeTenant, ...sites].filter((place) => holdsAt(base, place, role.id));
  if (!use || held.length === 0) return null;
  const isOneLine = held.length === 1 && held[0] === wholeTenant;
  return (
    <span className="block min-w-32 max-w-56 whitespace-normal text-meta">
      {held.map((place) => (
        <span key={place} className="block">
          {isOneLine ? null : `${place === wholeTenant ? t("tenant") : place}: `}
          <RoleUseText role={role} place={place} use={use} />
        </span>
      ))}
    </span>
  );
}

interface RoleUseTextProps {
  role: RoleFacts;
  place: string;
  use: LastUse;
}

/** The known use of a role at one place, in words. */
export function RoleUseText({ role, place, use }: RoleUseTextProps) {
  const found = roleUse(use, role, place);
  switch (found.kind) {
    case "used":
      return <Instant at={found.at} form="day" />;
    case "none":
      return (
        <span className="text-muted">
          {rich("no call since {when}", { when: <Instant at={found.since} form="day" /> })}
        </span>
      );
    case "granted":
      return (
        <span className="text-muted">
          {rich("granted {when}, no call yet", { when: <Instant at={found.at} form="day" /> })}
        </span>
      );
    case "base":
      return <span className="text-muted">{t("sign-in")}</span>;
    case "uncounted":
      return <span className="text-muted">{t("not counted here")}</span>;
    default:
      return <span className="text-muted">{t("not known")}</span>;
  }
}
