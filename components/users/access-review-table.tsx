"use client";

import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { usePortal } from "@/components/shell/portal";
import { useSiteName } from "@/components/shell/site";
import { t, translated } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { classNames } from "@/components/ui/class-names";
import { Instant } from "@/components/ui/instant";
import { Link } from "@/components/ui/link";
import { DataTable } from "@/components/ui/table/data-table";
import { Cell, Row } from "@/components/ui/table/table";
import type { User } from "@/lib/features/users/contract";
import { type RoleFacts, wholeTenant } from "./access-changes";
import { useLastUseQuery } from "./access-queries";
import { byPerson, type Grant, type Mark, type Marks } from "./access-review-marks";
import { LoginText } from "./login-text";
import { RoleUseText } from "./role-use-cell";
import { UserStatus } from "./user-status";

const steps: Partial<Record<string, 1 | -1>> = { ArrowDown: 1, ArrowUp: -1 };
const wishes: Partial<Record<string, Mark>> = { k: "keep", r: "remove" };

const rowsOf = (table: HTMLElement) => [...table.querySelectorAll<HTMLElement>("tr[data-grant]")];

/** The index of the row whose buttons have the focus: -1 for none, so that a step down moves to the first. */
const focusedRow = (rows: HTMLElement[]) =>
  rows.findIndex((row) => row.contains(document.activeElement));

function focusRow(row: HTMLElement | undefined): void {
  row?.querySelector("button")?.focus();
  row?.scrollIntoView({ block: "nearest" });
}

/** k and r mark the focused row and move to the next; the arrows move between rows, and from the page to the first row. */
function onReviewKey(
  event: KeyboardEvent,
  table: HTMLElement | null,
  mark: (key: string, wanted: Mark) => void,
): void {
  const [step, wanted] = [steps[event.key], wishes[event.key]];
  const isOurs = step !== undefined || wanted !== undefined;
  if (!isOurs || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (!table || document.querySelector("[role=dialog]")) return;
  const rows = rowsOf(table);
  const here = focusedRow(rows);
  if (here < 0 && (wanted || document.activeElement !== document.body)) return;
  event.preventDefault();
  const key = rows[here]?.dataset.grant;
  if (wanted && key !== undefined) mark(key, wanted);
  focusRow(rows[here < 0 ? 0 : here + (step ?? 1)]);
}

interface AccessReviewTableProps {
  grants: Grant[];
  facts: RoleFacts[];
  site: string | undefined;
  marks: Marks;
  onMarks: (marks: Marks) => void;
}

/** Users cannot remove their own roles, nor those of the platform's users. */
const mayRemove = ({ user }: Grant, ownId: string) => user.id !== ownId && !user.system;

/** The roles of people, person by person, each to keep or to remove. */
export function AccessReviewTable({ grants, marks, onMarks, ...rest }: AccessReviewTableProps) {
  const { view } = usePortal();
  const table = useRef<HTMLDivElement>(null);
  const mark = (grant: Grant, wanted: Mark) => {
    if (wanted === "remove" && !mayRemove(grant, view.user.id)) return;
    const { [grant.key]: before, ...others } = marks;
    onMarks(before === wanted ? others : { ...marks, [grant.key]: wanted });
  };
  useEffect(() => {
    const onKey = (event: KeyboardEvent) =>
      onReviewKey(event, table.current, (key, wanted) => {
        const grant = grants.find((one) => one.key === key);
        if (grant) mark(grant, wanted);
      });
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  });
  return (
    <div ref={table}>
      <DataTable
        label={t("Roles by person")}
        className="[--row:36px]"
        name="access-review"
        heads={[t("Role"), t("Last used"), t("Decision")]}
      >
        {byPerson(grants).map((person) => (
          <Person key={person.user.id} {...person} {...rest} marks={marks} onMark={mark} />
        ))}
      </DataTable>
    </div>
  );
}

interface PersonProps extends Omit<AccessReviewTableProps, "onMarks"> {
  user: User;
  onMark: (grant: Grant, mark: Mark) => void;
}

function Person({ user, grants, facts, site, marks, onMark }: PersonProps) {
  const { view } = usePortal();
  const { data: use } = useQuery(useLastUseQuery(user.id, site));
  return (
    <tbody>
      <tr>
        <th
          scope="rowgroup"
          colSpan={3}
          className="border-b border-border bg-surface px-4 py-2 text-start font-normal"
        >
          <Who user={user} site={site} />
        </th>
      </tr>
      {grants.map((grant) => {
        const role = facts.find(({ id }) => id === grant.roleId);
        const name = translated(role?.name ?? grant.roleId);
        return (
          <Row key={grant.key} data-grant={grant.key}>
            <Cell wraps card="text">
              <GrantName grant={grant} name={name} isRemoved={marks[grant.key] === "remove"} />
            </Cell>
            <Cell wraps className="text-meta" label={t("Last used")}>
              {use && role ? <RoleUseText role={role} place={grant.place} use={use} /> : null}
            </Cell>
            <Cell card="trailing">
              <Decision
                name={t("{role} of {name}", { role: name, name: user.name })}
                mark={marks[grant.key]}
                mayRemove={mayRemove(grant, view.user.id)}
                onMark={(mark) => onMark(grant, mark)}
              />
            </Cell>
          </Row>
        );
      })}
    </tbody>
  );
}

function GrantName(props: { grant: Grant; name: string; isRemoved: boolean }) {
  const { grant, name, isRemoved } = props;
  const siteName = useSiteName();
  return (
    <>
      <span className={classNames("block font-medium", isRemoved && "line-through")}>{name}</span>
      <span className="block text-meta text-muted">
        {grant.place === wholeTenant
          ? t("Whole tenant")
          : t("Site {place}", { place: siteName(grant.place) })}
      </span>
    </>
  );
}

function Who({ user, site }: { user: User; site: string | undefined }) {
  const { view } = usePortal();
  const address = `/t/${view.tenant}/users/${user.id}/access`;
  const { lastLoginAt } = user;
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <Link
        href={site ? `${address}?site=${encodeURIComponent(site)}` : address}
        className="font-medium underline-offset-2 hover:underline"
      >
        {user.name}
      </Link>
      <span className="font-mono text-meta text-muted">
        <LoginText login={user.login} />
      </span>
      <UserStatus user={user} />
      <span className="text-meta text-muted">
        {lastLoginAt ? t("signed in ") : t("never signed in")}
        {lastLoginAt ? <Instant at={lastLoginAt} /> : null}
      </span>
    </span>
  );
}

interface DecisionProps {
  /** The role and its user. */
  name: string;
  mark: Mark | undefined;
  mayRemove: boolean;
  onMark: (mark: Mark) => void;
}

function Decision({ name, mark, mayRemove, onMark }: DecisionProps) {
  return (
    <span className="inline-flex gap-2">
      <Button
        size="small"
        tone={mark === "keep" ? "primary" : "secondary"}
        aria-pressed={mark === "keep"}
        aria-label={t("Keep {name}", { name })}
        onClick={() => onMark("keep")}
      >
        {t("Keep")}
      </Button>
      <Button
        size="small"
        tone={mark === "remove" ? "danger" : "secondary"}
        aria-pressed={mark === "remove"}
        aria-label={t("Remove {name}", { name })}
        disabled={!mayRemove}
        title={mayRemove ? undefined : t("Another administrator removes these roles")}
        onClick={() => onMark("remove")}
      >
        {t("Remove")}
      </Button>
    </span>
  );
}
