"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Check, X } from "lucide-react";
import { useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { rich } from "@/components/texts/rich";
import { t } from "@/components/texts/t";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { ActionDialog } from "@/components/ui/form/action-dialog";
import { Field, Select } from "@/components/ui/form/field";
import { textOf } from "@/components/ui/form/use-action";
import { Instant } from "@/components/ui/instant";
import { Loaded } from "@/components/ui/loaded";
import { DataTable } from "@/components/ui/table/data-table";
import { Cell, Row } from "@/components/ui/table/table";
import type { SignInSafety } from "@/lib/features/connections/identity-contract";
import type { EmergencyAdministrator } from "@/lib/features/users/emergency-contract";
import { maxEmergencyAdministrators } from "@/lib/features/users/values";
import { tenantKeys } from "./query-keys";

/** The conditions for limiting passwords to emergency administrators. */
function SafetyList({ safety }: { safety: SignInSafety }) {
  const { connectionSignIn, lastConnectionSignInAt: last, emergencyAdministrator } = safety;
  return (
    <div className="text-body">
      <p className="mb-1 font-medium">{t("Before passwords are limited to them")}</p>
      <ul className="flex flex-col gap-1">
        <Line isDone={connectionSignIn}>
          {t("A tenant.admin signed in at an identity provider within the last hour.")}
          {last ? <> {rich("The last time: {when}.", { when: <Instant at={last} /> })}</> : null}
        </Line>
        <Line isDone={emergencyAdministrator}>
          {t("An emergency administrator has a password and a second factor that work.")}
        </Line>
      </ul>
    </div>
  );
}

function Line({ isDone, children }: { isDone: boolean; children: React.ReactNode }) {
  const Icon = isDone ? Check : X;
  return (
    <li className="flex items-start gap-2">
      <Icon
        role="img"
        aria-label={isDone ? t("Done##checklist") : t("Missing##checklist")}
        className={`mt-0.5 size-4 shrink-0 ${isDone ? "text-success" : "text-danger"}`}
      />
      <span>{children}</span>
    </li>
  );
}

type Open = { what: "add" } | { what: "remove"; administrator: EmergencyAdministrator };

/** The users who may always sign in with password and second factor, and whether passwords can be limited to them. */
export function EmergencyAdministrators() {
  const { view, call } = usePortal();
  const [open, setOpen] = useState<Open>();
  const found = useQuery({
    queryKey: tenantKeys.emergencyAdministrators(view.tenant),
    queryFn: async ({ signal }) => {
      const [administrators, safety] = await Promise.all([
        call("GET /v1/tenant/emergency-administrators", { signal }),
        call("GET /v1/tenant/sign-in-safety", { signal }),
      ]);
      return { administrators, safety };
    },
  });
  const administrators = found.data?.administrators ?? [];
  return (
    <section className="mt-6 flex flex-col items-start gap-3 border-t border-border pt-4">
      <Introduction />
      <Loaded
        found={found}
        failed={t("The emergency administrators could not be loaded")}
        skeleton="h-20"
      >
        {(all) => (
          <>
            {all.administrators.length > 0 ? (
              <Administrators
                administrators={all.administrators}
                onRemove={(administrator) => setOpen({ what: "remove", administrator })}
              />
            ) : null}
            <SafetyList safety={all.safety} />
          </>
        )}
      </Loaded>
      <Button
        disabled={administrators.length >= maxEmergencyAdministrators}
        onClick={() => setOpen({ what: "add" })}
      >
        {t("Name emergency administrator")}
      </Button>
      {open ? (
        <OpenDialog {...{ open, administrators }} onClose={() => setOpen(undefined)} />
      ) : null}
    </section>
  );
}

const Introduction = () => (
  <>
    <h3 className="text-control font-semibold">{t("Emergency administrators")}</h3>
    <p className="text-control text-muted">
      {t(
        "Up to three tenant.admin who may always sign in with a password and a second factor. Every administrator is notified of each use.",
      )}
    </p>
  </>
);

interface AdministratorsProps {
  administrators: EmergencyAdministrator[];
  onRemove: (administrator: EmergencyAdministrator) => void;
}

function Administrators({ administrators, onRemove }: AdministratorsProps) {
  return (
    <DataTable
      label={t("Emergency administrators")}
      className="w-full [--row:44px]"
      name="emergency"
      heads={[t("Login"), t("Name"), t("State"), t("Last used")]}
      hasActions
    >
      <tbody>
        {administrators.map((one) => (
          <Row key={one.id}>
            <Cell>{one.login}</Cell>
            <Cell>{one.name}</Cell>
            <Cell>
              {one.isReady ? (
                <Badge tone="success">{t("Ready##emergency")}</Badge>
              ) : (
                <Badge tone="warning">
                  {one.hasSecondFactor ? t("Cannot sign in") : t("No second factor")}
                </Badge>
              )}
            </Cell>
            <Cell label={t("Last used")}>
              {one.lastUsedAt ? <Instant at={one.lastUsedAt} /> : t("Never")}
            </Cell>
            <Cell className="text-end" card="end">
              <Button
                size="small"
                aria-label={t("Remove emergency administrator {login}", { login: one.login })}
                onClick={() => onRemove(one)}
              >
                {t("Remove")}
              </Button>
            </Cell>
          </Row>
        ))}
      </tbody>
    </DataTable>
  );
}

interface OpenDialogProps {
  open: Open;
  administrators: EmergencyAdministrator[];
  onClose: () => void;
}

function OpenDialog({ open, administrators, onClose }: OpenDialogProps) {
  const { view, call } = usePortal();
  const queries = useQueryClient();
  const change = async (operation: "PUT" | "DELETE", id: string) => {
    await call(`${operation} /v1/tenant/emergency-administrators/{id}`, { params: { id } });
    await queries.invalidateQueries({ queryKey: tenantKeys.emergencyAdministrators(view.tenant) });
  };
  if (open.what === "add")
    return <AddDialog named={administrators} onAdd={(id) => change("PUT", id)} onClose={onClose} />;
  const { id, login } = open.administrator;
  return (
    <ActionDialog
      title={t("Remove emergency administrator {login}", { login })}
      description={t("The person stays tenant.admin, and signs in as everybody else does.")}
      confirm={t("Remove")}
      danger
      failed={t("The emergency administrator was not removed")}
      onConfirm={() => change("DELETE", id)}
      onClose={onClose}
    />
  );
}

interface AddDialogProps {
  named: EmergencyAdministrator[];
  onAdd: (id: string) => Promise<void>;
  onClose: () => void;
}

function AddDialog({ named, onAdd, onClose }: AddDialogProps) {
  const { view, call } = usePortal();
  const found = useQuery({
    queryKey: [...tenantKeys.emergencyAdministrators(view.tenant), "candidates"],
    queryFn: ({ signal }) =>
      call("GET /v1/user/list", { query: { role: "tenant.admin", limit: "200" }, signal }),
  });
  const isNamed = (id: string) => named.some((one) => one.id === id);
  return (
    <ActionDialog
      title={t("Name emergency administrator")}
      description={t(
        "Choose somebody who is not provisioned by the identity provider, and set up a second factor for the account.",
      )}
      confirm={t("Name##emergency administrator")}
      failed={t("The emergency administrator was not named")}
      onConfirm={(form) => onAdd(textOf(form, "user"))}
      onClose={onClose}
    >
      {() => (
        <Loaded found={found} failed={t("The administrators could not be loaded")} skeleton="h-16">
          {(users) => (
            <Field label={t("Administrator")}>
              {(control) => (
                <Select {...control} name="user" required>
                  {users
                    .filter(({ id }) => !isNamed(id))
                    .map(({ id, login, name }) => (
                      <option key={id} value={id}>
                        {`${name} (${login})`}
                      </option>
                    ))}
                </Select>
              )}
            </Field>
          )}
        </Loaded>
      )}
    </ActionDialog>
  );
}
