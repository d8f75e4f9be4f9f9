"use client";

import { plural, t } from "@/components/texts/t";
import { Notice } from "@/components/ui/notice";
import type { GroupRolesPreview } from "@/lib/features/connections/group-contract";

type Person = GroupRolesPreview["people"][number];

interface GroupPreviewProps {
  preview: GroupRolesPreview;
  roleNames: Record<string, string>;
}

/** The roles that each user would gain and lose when the list is saved. */
export function GroupPreview({ preview, roleNames }: GroupPreviewProps) {
  const { groups, changes, people } = preview;
  const empty = groups.filter(({ members }) => members === 0).map(({ group }) => group);
  return (
    <section aria-label={t("Who gains and loses what")} className="flex flex-col gap-2">
      <h3 className="text-body font-medium">
        <span role="status">
          {changes === 0
            ? t("Nobody gains or loses a role")
            : plural(changes, "1 person gains or loses roles", "{count} people gain or lose roles")}
        </span>
      </h3>
      {empty.length > 0 ? (
        <Notice tone="warning">
          {t(
            "Nobody is known to be in: {groups}. Compare the name with what the provider writes.",
            {
              groups: empty.join(", "),
            },
          )}
        </Notice>
      ) : null}
      <ul className="flex max-h-64 flex-col divide-y divide-border overflow-y-auto text-body">
        {people.map((person) => (
          <PersonChange key={person.id} person={person} roleNames={roleNames} />
        ))}
      </ul>
      {changes > people.length ? (
        <p className="text-meta text-muted">
          {t("The first {shown} are shown.", { shown: people.length })}
        </p>
      ) : null}
    </section>
  );
}

type Roles = Person["gains"];

/** The roles in words, each with its site. */
const wordsOf = ({ roleIds, sites }: Roles, names: Record<string, string>): string[] => [
  ...roleIds.map((id) => names[id] ?? id),
  ...Object.entries(sites).flatMap(([place, site]) =>
    site.roleIds.map((id) => t("{role} at {place}", { role: names[id] ?? id, place })),
  ),
];

function PersonChange({
  person,
  roleNames,
}: {
  person: Person;
  roleNames: Record<string, string>;
}) {
  const { login, name, gains, loses } = person;
  return (
    <li className="py-1.5">
      <p className="wrap-anywhere">
        <span className="font-medium">{name}</span> <span className="text-muted">{login}</span>
      </p>
      <ul className="flex flex-wrap gap-x-3">
        {wordsOf(loses, roleNames).map((role) => (
          <li key={role} className="font-medium text-danger">
            <span aria-hidden="true">− </span>
            {t("loses {role}", { role })}
          </li>
        ))}
        {wordsOf(gains, roleNames).map((role) => (
          <li key={role} className="font-medium text-success">
            <span aria-hidden="true">+ </span>
            {t("gains {role}", { role })}
          </li>
        ))}
      </ul>
    </li>
  );
}
