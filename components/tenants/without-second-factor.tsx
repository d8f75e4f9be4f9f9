"use client";

import { useQuery } from "@tanstack/react-query";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { Badge } from "@/components/ui/badge";
import { Instant } from "@/components/ui/instant";
import { Link } from "@/components/ui/link";
import { Loaded } from "@/components/ui/loaded";
import { DataTable } from "@/components/ui/table/data-table";
import { Few } from "@/components/ui/table/few";
import { Cell, Row } from "@/components/ui/table/table";
import type { WithoutSecondFactor as Person } from "@/lib/features/users/emergency-contract";
import { tenantKeys } from "./query-keys";

/** The maximum number shown: a tenant with more should start with the policy. */
const shown = 50;

/** The people of the tenant who sign in with only a password. */
export function WithoutSecondFactor() {
  const { view, call } = usePortal();
  const found = useQuery({
    queryKey: tenantKeys.withoutSecondFactor(view.tenant),
    queryFn: ({ signal }) =>
      call("GET /v1/user/without-second-factor", { query: { limit: String(shown) }, signal }),
  });
  return (
    <section className="mt-6 flex flex-col gap-3 border-t border-border pt-4">
      <h3 className="text-control font-semibold">{t("Without a second factor")}</h3>
      <Loaded found={found} failed={t("The people could not be loaded")} skeleton="h-20">
        {(people) =>
          people.length > 0 ? (
            <div>
              <Few items={people} first={3}>
                {(few) => <People people={few} isWhole={few.length === people.length} />}
              </Few>
            </div>
          ) : (
            <p className="text-control text-muted">{t("Everybody has a second factor.")}</p>
          )
        }
      </Loaded>
    </section>
  );
}

function People({ people, isWhole }: { people: Person[]; isWhole: boolean }) {
  const { view } = usePortal();
  return (
    <>
      <DataTable
        label={t("People without a second factor, by login")}
        className="w-full"
        name="without-factor"
        heads={[t("Login"), t("Name"), t("Last sign-in")]}
      >
        <tbody>
          {people.map(({ id, login, name, isAdministrator, lastLoginAt }) => (
            <Row key={id}>
              <Cell>
                <Link href={`/t/${view.tenant}/users/${id}`}>{login}</Link>{" "}
                {isAdministrator ? <Badge>{t("Administrator")}</Badge> : null}
              </Cell>
              <Cell>{name}</Cell>
              <Cell label={t("Last sign-in")}>
                {lastLoginAt ? <Instant at={lastLoginAt} /> : t("Never")}
              </Cell>
            </Row>
          ))}
        </tbody>
      </DataTable>
      {isWhole && people.length === shown ? (
        <p className="text-meta text-muted">{t("The first {shown} by login.", { shown })}</p>
      ) : null}
    </>
  );
}
