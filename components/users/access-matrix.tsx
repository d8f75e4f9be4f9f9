"use client";

import { Fragment, type ReactNode } from "react";
import { useSiteName } from "@/components/shell/site";
import { rich } from "@/components/texts/rich";
import { t, translated } from "@/components/texts/t";
import { TableOfRecords } from "@/components/ui/table/data-table";
import { Cell, HeadCell, Row } from "@/components/ui/table/table";
import type { LastUse } from "@/lib/catalogue/access-contract";
import {
  cellOf,
  type RoleFacts,
  stateAt,
  type Wish,
  type Wishes,
  wholeTenant,
  withWishes,
} from "./access-changes";
import { adminRole, effectAt, effectiveLine, roleName } from "./access-effect";
import { RoleEnd } from "./role-end";
import type { TenantRoles } from "./role-list";
import { RoleUseCell } from "./role-use-cell";

interface AccessMatrixProps {
  base: TenantRoles;
  wishes: Wishes;
  /** Every role. */
  facts: RoleFacts[];
  /** The shown roles. */
  shown: RoleFacts[];
  sites: string[];
  /** The last use of the roles; undefined until it is loaded. */
  use: LastUse | undefined;
  /** Whether the current user may change this cell. */
  mayChange: (place: string, roleId: string) => boolean;
  /** The group of an identity provider that grants the role there. */
  groupOf: (place: string, roleId: string) => string | undefined;
  onWish: (place: string, roleId: string, wanted: Wish) => void;
}

/** Roles by tenant and site: a role of the whole tenant is inherited by each site. */
export function AccessMatrix(props: AccessMatrixProps) {
  const { shown, sites } = props;
  const nameOf = useSiteName();
  const groups = [...new Set(shown.map(({ group }) => group))];
  if (shown.length === 0)
    return <p className="px-4 py-6 text-body text-muted">{t("No role matches these filters.")}</p>;
  return (
    <TableOfRecords label={t("Roles by tenant and site")} className="[--row:36px]">
      <thead>
        <tr>
          <HeadCell className="sticky start-0 z-10">{t("Role")}</HeadCell>
          <HeadCell>{t("Effective")}</HeadCell>
          <HeadCell>{t("Last used")}</HeadCell>
          <HeadCell>{t("Whole tenant")}</HeadCell>
          {sites.map((site) => (
            <HeadCell key={site} title={site} className="max-w-40 truncate">
              {nameOf(site)}
            </HeadCell>
          ))}
        </tr>
      </thead>
      <tbody>
        {groups.map((group) => (
          <Fragment key={group}>
            <tr>
              <th
                scope="rowgroup"
                colSpan={sites.length + 4}
                className="border-b border-border px-4 pt-4 pb-1 text-start text-meta font-medium text-muted"
              >
                {translated(group)}
              </th>
            </tr>
            {shown
              .filter((role) => role.group === group)
              .map((role) => (
                <RoleRow key={role.id} role={role} {...props} />
              ))}
          </Fragment>
        ))}
      </tbody>
    </TableOfRecords>
  );
}

type RoleRowProps = AccessMatrixProps & { role: RoleFacts };

function RoleRow({ role, ...props }: RoleRowProps) {
  const nameOf = useSiteName();
  return (
    <Row>
      <th
        scope="row"
        className="sticky start-0 z-10 h-(--row) w-80 max-w-[44vw] border-b border-border bg-bg py-1.5 pe-3 ps-4 text-start font-normal group-last:border-b-0 sm:min-w-72"
        title={`${role.id}: ${role.permissions.join(", ") || t("no permission")}`}
      >
        <span className="block font-medium">{translated(role.name)}</span>
        <span className="block whitespace-normal text-meta text-muted">
          {translated(role.meaning)}
        </span>
      </th>
      <Cell card="row" label={t("Effective")}>
        <EffectiveCell role={role} {...props} />
      </Cell>
      <Cell card="row" label={t("Last used")}>
        <RoleUseCell role={role} base={props.base} sites={props.sites} use={props.use} />
      </Cell>
      {[wholeTenant, ...props.sites].map((place) => (
        <Cell key={place} label={place === wholeTenant ? t("Whole tenant") : nameOf(place)}>
          <RoleBox role={role} place={place} {...props} />
        </Cell>
      ))}
    </Row>
  );
}

/** The places where the user would have the role's permissions, and the roles that grant them. */
function EffectiveCell({ role, base, wishes, facts, sites }: RoleRowProps) {
  const nameOf = useSiteName();
  const named = sites.map((id) => ({ id, name: nameOf(id) }));
  const line = effectiveLine(withWishes(base, wishes), named, role, facts);
  return (
    <span
      className={`block min-w-40 max-w-64 whitespace-normal text-meta ${line ? "" : "text-muted"}`}
    >
      {line ?? t("no")}
    </span>
  );
}

interface RoleBoxProps extends Omit<AccessMatrixProps, "shown" | "sites" | "use"> {
  role: RoleFacts;
  place: string;
}

function RoleBox({ role, place, base, wishes, facts, ...props }: RoleBoxProps) {
  const { mayChange, groupOf, onWish } = props;
  const nameOf = useSiteName();
  const effect = effectAt(withWishes(base, wishes), place, role, facts);
  const on = effect.kind === "granted";
  const stored = stateAt(base, place, role.id);
  const state = wishes[cellOf(place, role.id)] ?? stored;
  const isChanged = state !== stored;
  if (effect.kind === "inherited" && !isChanged)
    return <span className="text-meta text-muted">{t("inherited")}</span>;
  if (effect.kind === "covered" && effect.by === adminRole && !isChanged)
    return (
      <span className="whitespace-nowrap text-meta text-muted">
        {rich("covered<span> by {adminRole}</span>", {
          adminRole: roleName(adminRole, facts),
          span: (inner) => <span className="sr-only">{inner}</span>,
        })}
      </span>
    );
  const isOpen = mayChange(place, role.id);
  const label =
    place === wholeTenant
      ? t("{role} in the whole tenant", { role: translated(role.name) })
      : t("{role} at {place}", { role: translated(role.name), place: nameOf(place) });
  const set = (wanted: Wish) => onWish(place, role.id, wanted);
  // Ticking again restores the stored role with its end.
  const tick = (isTicked: boolean) => set(isTicked && (stored || true));
  return (
    <TickBox {...{ label, on, isChanged, isOpen }} group={groupOf(place, role.id)} onTick={tick}>
      <RoleEnd state={state} disabled={!isOpen} label={label} onEnd={set} />
    </TickBox>
  );
}

interface TickBoxProps {
  label: string;
  on: boolean;
  isChanged: boolean;
  isOpen: boolean;
  /** The group that grants the role. */
  group: string | undefined;
  onTick: (isTicked: boolean) => void;
  /** The end of a role that no group grants. */
  children: ReactNode;
}

function TickBox({ label, on, isChanged, isOpen, group, onTick, children }: TickBoxProps) {
  return (
    <span className="flex items-center gap-1.5 whitespace-nowrap">
      <input
        type="checkbox"
        className={`size-4 accent-accent max-sm:size-6 ${isChanged ? "outline-2 outline-offset-2 outline-accent" : ""}`}
        aria-label={label}
        checked={on}
        disabled={!isOpen}
        title={
          isOpen || group !== undefined
            ? undefined
            : t("Granted by those who hold it, and by a tenant.admin")
        }
        onChange={(event) => onTick(event.target.checked)}
      />
      {group === undefined ? (
        children
      ) : (
        <span className="text-meta text-muted" title={group}>
          {t("by group")}
        </span>
      )}
    </span>
  );
}
