"use client";

import { Fragment } from "react";
import { Cell, HeadCell, Row, Table } from "@/components/ui/table";
import { cellOf, holdsAt, type RoleFacts, type Wishes, wholeTenant } from "./access-changes";
import type { TenantRoles } from "./role-list";

interface AccessMatrixProps {
  base: TenantRoles;
  wishes: Wishes;
  facts: RoleFacts[];
  sites: string[];
  /** Whether the person on screen may change this cell. */
  mayChange: (place: string, roleId: string) => boolean;
  onWish: (place: string, roleId: string, wanted: boolean) => void;
}

/** Roles by tenant and site: a role of the whole tenant is inherited by each site. */
export function AccessMatrix(props: AccessMatrixProps) {
  const { facts, sites } = props;
  const groups = [...new Set(facts.map(({ group }) => group))];
  return (
    <Table label="Roles by tenant and site" className="[--row:36px]">
      <thead>
        <tr>
          <HeadCell className="sticky left-0 z-10">Role</HeadCell>
          <HeadCell>Whole tenant</HeadCell>
          {sites.map((site) => (
            <HeadCell key={site} title={site} className="max-w-40 truncate">
              {site}
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
                colSpan={sites.length + 2}
                className="border-b border-border px-4 pt-4 pb-1 text-left text-meta font-medium text-muted"
              >
                {group}
              </th>
            </tr>
            {facts
              .filter((role) => role.group === group)
              .map((role) => (
                <RoleRow key={role.id} role={role} {...props} />
              ))}
          </Fragment>
        ))}
      </tbody>
    </Table>
  );
}

function RoleRow({ role, ...props }: AccessMatrixProps & { role: RoleFacts }) {
  return (
    <Row>
      <th
        scope="row"
        className="sticky left-0 z-10 h-(--row) max-w-72 border-b border-border bg-bg py-1 pr-3 pl-4 text-left font-normal group-last:border-b-0"
        title={role.permissions.join(", ")}
      >
        <span className="block truncate font-medium">{role.name}</span>
        <code className="block truncate text-meta text-muted">{role.id}</code>
      </th>
      {[wholeTenant, ...props.sites].map((place) => (
        <Cell key={place}>
          <RoleBox role={role} place={place} {...props} />
        </Cell>
      ))}
    </Row>
  );
}

interface RoleBoxProps extends Omit<AccessMatrixProps, "facts" | "sites"> {
  role: RoleFacts;
  place: string;
}

function RoleBox({ role, place, base, wishes, mayChange, onWish }: RoleBoxProps) {
  const isOn = (at: string) => wishes[cellOf(at, role.id)] ?? holdsAt(base, at, role.id);
  const on = isOn(place);
  if (place !== wholeTenant && isOn(wholeTenant) && !on)
    return <span className="text-meta text-muted">inherited</span>;
  const isChanged = on !== holdsAt(base, place, role.id);
  return (
    <input
      type="checkbox"
      className={`size-4 accent-accent ${isChanged ? "outline-2 outline-offset-2 outline-accent" : ""}`}
      aria-label={`${role.name} ${place === wholeTenant ? "in the whole tenant" : `at ${place}`}`}
      checked={on}
      disabled={!mayChange(place, role.id)}
      onChange={(event) => onWish(place, role.id, event.target.checked)}
    />
  );
}
