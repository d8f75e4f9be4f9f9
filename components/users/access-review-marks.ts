"use client";

import { useEffect, useState } from "react";
import { keepInTab, readInTab } from "@/components/ui/device-storage";
import type { User } from "@/lib/features/users/contract";
import { cellOf, type Wishes, wholeTenant } from "./access-changes";

export type Mark = "keep" | "remove";

/** One role of one person at one place. */
export interface Grant {
  key: string;
  user: User;
  place: string;
  roleId: string;
}

/** The grants of a user: the roles in the whole tenant, then those at each site. */
export function grantsOf(user: User, tenant: string): Grant[] {
  const { roleIds = [], sites = {} } = user.userRoles[tenant] ?? {};
  const atSites = Object.entries(sites).map(([site, at]) => [site, at.roleIds] as const);
  const places = [[wholeTenant, roleIds] as const, ...atSites];
  return places.flatMap(([place, ids]) =>
    ids.map((roleId) => ({ key: `${user.id} ${cellOf(place, roleId)}`, user, place, roleId })),
  );
}

/** The grants of each person. */
export function byPerson(grants: readonly Grant[]): { user: User; grants: Grant[] }[] {
  const people = new Map<string, { user: User; grants: Grant[] }>();
  for (const grant of grants) {
    const { user } = grant;
    const person = people.get(user.id) ?? { user, grants: [] };
    people.set(user.id, person);
    person.grants.push(grant);
  }
  return [...people.values()];
}

/** The marks by grant. A mark "keep" means that the grant was reviewed; it is stored only in this tab. */
export type Marks = Record<string, Mark>;

export interface Removal {
  user: User;
  grants: Grant[];
  wishes: Wishes;
}

/** The removals of each user, as changes of their roles. */
export function removalsOf(marks: Marks, grants: readonly Grant[]): Removal[] {
  const marked = grants.filter(({ key }) => marks[key] === "remove");
  return byPerson(marked).map(({ user, grants: own }) => {
    const off = own.map(({ place, roleId }) => [cellOf(place, roleId), false] as const);
    return { user, grants: own, wishes: Object.fromEntries(off) };
  });
}

/** Marks that survive only a reload of this tab. */
export function useReviewMarks(tenant: string) {
  const name = `access-review.${tenant}`;
  const [marks, setMarks] = useState<Marks>({});
  useEffect(() => setMarks((readInTab(name) ?? {}) as Marks), [name]);
  const keep = (next: Marks) => {
    setMarks(next);
    keepInTab(name, Object.keys(next).length > 0 ? JSON.stringify(next) : undefined);
  };
  return [marks, keep] as const;
}
