"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { usePortal } from "@/components/shell/portal";
import { useSiteName } from "@/components/shell/site";
import { rich } from "@/components/texts/rich";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { CallFailed } from "@/components/ui/error-notice";
import { Field, Select, TextField } from "@/components/ui/form/field";
import { textOf, useAction } from "@/components/ui/form/use-action";
import { Instant } from "@/components/ui/instant";
import type { RoleId } from "@/lib/access/roles";
import type { AccessRequest } from "@/lib/features/users/access-requests-contract";
import { maxAskReason } from "@/lib/features/users/values";
import { useAccessRequestsQuery } from "./access-queries";

interface AskForAccessProps {
  /** The roles that give access to the page, the narrowest first. */
  roles: { id: string; name: string }[];
  /** The site of the page; undefined when the role is needed in the whole tenant. */
  site: string | undefined;
}

/** On a page that needs more rights: requests one of its roles, and shows the state of the request. */
export function AskForAccess({ roles, site }: AskForAccessProps) {
  const { view } = usePortal();
  const { data: requests } = useQuery(useAccessRequestsQuery());
  const asked = requests?.findLast(
    (one) =>
      one.user.id === view.user.id &&
      one.site === (site ?? null) &&
      roles.some(({ id }) => id === one.role),
  );
  if (requests === undefined) return <div className="h-40" aria-hidden="true" />;
  const nameOf = (role: string) => roles.find(({ id }) => id === role)?.name ?? role;
  if (asked?.state === "open") return <Asked request={asked} role={nameOf(asked.role)} />;
  return (
    <>
      {asked?.state === "declined" ? <Declined request={asked} /> : null}
      <AskForm roles={roles} site={site} />
    </>
  );
}

function AskForm({ roles, site }: AskForAccessProps) {
  const { call } = usePortal();
  const queries = useQueryClient();
  const query = useAccessRequestsQuery();
  const { busy, errors, error, form } = useAction(
    async (values) => {
      const body = {
        role: String(values.get("role")) as RoleId,
        ...(site !== undefined && { site }),
        reason: textOf(values, "reason"),
      };
      await call("POST /v1/user/access-requests", { body });
      await queries.invalidateQueries(query);
    },
    ["/reason"],
  );
  return (
    <form method="post" {...form} className="mt-6 flex flex-col gap-4">
      <AskFields roles={roles} site={site} error={errors["/reason"]} />
      {error ? <CallFailed title={t("Access was not asked for")} error={error} /> : null}
      <div>
        <Button type="submit" tone="primary" busy={busy}>
          {t("Ask for access")}
        </Button>
      </div>
    </form>
  );
}

function AskFields({ roles, site, error }: AskForAccessProps & { error: string | undefined }) {
  const nameOf = useSiteName();
  return (
    <>
      <Field
        label={t("Role")}
        hint={
          site === undefined
            ? t("In the whole tenant.")
            : t("At the site {site}.", { site: nameOf(site) })
        }
      >
        {(control) => (
          <Select {...control} name="role">
            {roles.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <TextField
        label={t("Reason (optional)")}
        hint={t("Those who decide read it.")}
        name="reason"
        maxLength={maxAskReason}
        autoComplete="off"
        error={error}
      />
    </>
  );
}

interface AskedProps {
  request: AccessRequest;
  role: string;
}

/** A pending request, which the user may withdraw until it is decided. */
function Asked({ request: { id, createdAt }, role }: AskedProps) {
  const { call } = usePortal();
  const queries = useQueryClient();
  const query = useAccessRequestsQuery();
  const withdrawal = useMutation({
    mutationFn: () => call("DELETE /v1/user/access-requests/{id}", { params: { id } }),
    onSettled: () => queries.invalidateQueries(query),
  });
  return (
    <div className="mt-6 flex flex-col items-start gap-3">
      <p role="status">
        {rich("You asked for the role {role} {when}. It waits for one of the administrators.", {
          role: <strong className="font-medium">{role}</strong>,
          when: <Instant at={createdAt} />,
        })}
      </p>
      <Button busy={withdrawal.isPending} onClick={() => withdrawal.mutate()}>
        {t("Withdraw request")}
      </Button>
      {withdrawal.error ? (
        <CallFailed title={t("The request was not withdrawn")} error={withdrawal.error} />
      ) : null}
    </div>
  );
}

const Declined = ({ request }: { request: AccessRequest }) => (
  <p className="mt-6">
    {rich("You asked for access. It was declined {when}.", {
      when: <Instant at={request.decidedAt ?? request.createdAt} />,
    })}
  </p>
);
