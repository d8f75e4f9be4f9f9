"use client";

import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { ActionDialog } from "@/components/ui/form/action-dialog";
import { Checkbox, Field, Select, TextField } from "@/components/ui/form/field";
import { PasswordInput } from "@/components/ui/form/password-input";
import { textOf } from "@/components/ui/form/use-action";
import type { Connection } from "@/lib/features/connections/contract";
import { defaultClaims, defaultScopes } from "@/lib/features/connections/values";
import { Addresses } from "./addresses";

interface ConnectionDialogProps {
  /** Absent for a new one. */
  connection: Connection | undefined;
  onChanged: () => Promise<unknown>;
  onClose: () => void;
}

const listOf = (text: string) => text.split(/[\s,]+/).filter(Boolean);

const bodyOf = (form: FormData) => ({
  name: textOf(form, "name"),
  issuer: textOf(form, "issuer"),
  clientId: textOf(form, "clientId"),
  scopes: listOf(textOf(form, "scopes")),
  claims: {
    login: textOf(form, "login"),
    email: textOf(form, "email"),
    name: textOf(form, "nameClaim"),
    groups: textOf(form, "groupsClaim") || null,
  },
  domains: listOf(textOf(form, "domains")),
  provisioning: textOf(form, "provisioning") as Connection["provisioning"],
  isEnabled: form.has("isEnabled"),
  externalIdClaim: textOf(form, "externalIdClaim") as Connection["externalIdClaim"],
});

/** Connects a provider, or changes a connection. */
export function ConnectionDialog({ connection, onChanged, onClose }: ConnectionDialogProps) {
  const { call } = usePortal();
  const save = async (form: FormData) => {
    const clientSecret = String(form.get("clientSecret") ?? "");
    const body = bodyOf(form);
    if (connection) {
      const changed = clientSecret === "" ? body : { ...body, clientSecret };
      const params = { id: connection.id };
      await call("PATCH /v1/tenant/connections/{id}", { params, body: changed });
    } else await call("POST /v1/tenant/connections", { body: { ...body, clientSecret } });
    await onChanged();
  };
  const name = connection?.name ?? "";
  return (
    <ActionDialog
      title={connection ? t("Edit the provider {name}", { name }) : t("Connect a provider")}
      description={t("The guides in the documentation name the values for each provider.")}
      confirm={connection ? t("Save provider") : t("Connect provider")}
      failed={t("The provider was not saved")}
      draft={connection ? `connection-${connection.id}` : "connection"}
      fields={["/name", "/issuer", "/clientId", "/clientSecret", "/scopes", "/domains"]}
      onConfirm={save}
      onClose={onClose}
    >
      {(errors) => (
        <>
          {connection ? <Addresses connection={connection} /> : null}
          <ClientFields connection={connection} errors={errors} />
          <PeopleFields connection={connection} errors={errors} />
        </>
      )}
    </ActionDialog>
  );
}

interface FieldsProps {
  connection: Connection | undefined;
  errors: Record<string, string>;
}

function ClientFields({ connection, errors }: FieldsProps) {
  return (
    <>
      <TextField
        label={t("Name")}
        hint={t("What the button of the sign-in page shows")}
        name="name"
        defaultValue={connection?.name}
        required
        autoComplete="off"
        error={errors["/name"]}
      />
      <TextField
        label={t("Issuer")}
        hint={t("Exactly as the provider's openid-configuration has it")}
        name="issuer"
        defaultValue={connection?.issuer}
        placeholder="https://login.example.com"
        required
        isCode
        error={errors["/issuer"]}
      />
      <TextField
        label={t("Client ID")}
        name="clientId"
        defaultValue={connection?.clientId}
        required
        isCode
        error={errors["/clientId"]}
      />
      <SecretField connection={connection} errors={errors} />
    </>
  );
}

function SecretField({ connection, errors }: FieldsProps) {
  return (
    <Field
      label={t("Client secret")}
      hint={
        connection
          ? t("Leave it empty to keep the present one. It is needed when the issuer changes.")
          : t("Stored encrypted and never shown again")
      }
      error={errors["/clientSecret"]}
    >
      {(control) => (
        <PasswordInput {...control} name="clientSecret" required={!connection} autoComplete="off" />
      )}
    </Field>
  );
}

function PeopleFields({ connection, errors }: FieldsProps) {
  return (
    <>
      <Field
        label={t("Who signs in")}
        hint={t("An existing account is never taken over by its e-mail address.")}
      >
        {(control) => (
          <Select
            {...control}
            name="provisioning"
            defaultValue={connection?.provisioning ?? "linked-only"}
            className="w-full"
          >
            <option value="linked-only">{t("People who linked the provider themselves")}</option>
            <option value="on-first-sign-in">
              {t("Everybody there: an account is created at the first sign-in")}
            </option>
          </Select>
        )}
      </Field>
      <TextField
        label={t("E-mail domains of new people")}
        hint={t("Separated by commas. Empty: any")}
        name="domains"
        defaultValue={connection?.domains.join(", ")}
        isCode
        error={errors["/domains"]}
      />
      <ExternalIdField connection={connection} />
      <ClaimFields connection={connection} errors={errors} />
      <Checkbox
        name="isEnabled"
        defaultChecked={connection?.isEnabled ?? false}
        label={t("Show it on the sign-in page")}
      />
    </>
  );
}

/** The identifier that finds provisioned users at their first sign-in. */
const ExternalIdField = ({ connection }: Pick<FieldsProps, "connection">) => (
  <Field
    label={t("Link provisioned people by")}
    hint={t(
      "The claim that holds what the provider sends as externalId: sub at Okta, oid at Entra ID.",
    )}
  >
    {(control) => (
      <Select
        {...control}
        name="externalIdClaim"
        defaultValue={connection?.externalIdClaim ?? "none"}
        className="w-full"
      >
        <option value="none">{t("They link the provider themselves")}</option>
        <option value="sub">{t("The claim {claim}", { claim: "sub" })}</option>
        <option value="oid">{t("The claim {claim}", { claim: "oid" })}</option>
      </Select>
    )}
  </Field>
);

function ClaimFields({ connection, errors }: FieldsProps) {
  const claims = connection?.claims ?? defaultClaims;
  return (
    <details>
      <summary className="cursor-pointer text-control">{t("Scopes and claims")}</summary>
      <div className="mt-3 grid gap-4 sm:grid-cols-2">
        <TextField
          label={t("Scopes")}
          name="scopes"
          defaultValue={(connection?.scopes ?? defaultScopes).join(" ")}
          required
          isCode
          error={errors["/scopes"]}
        />
        <TextField
          label={t("Claim of the login")}
          name="login"
          defaultValue={claims.login}
          required
          isCode
        />
        <TextField
          label={t("Claim of the e-mail address")}
          name="email"
          defaultValue={claims.email}
          required
          isCode
        />
        <TextField
          label={t("Claim of the name")}
          name="nameClaim"
          defaultValue={claims.name}
          required
          isCode
        />
        <TextField
          label={t("Claim of the groups")}
          hint={t("Empty: sign-ins say no groups")}
          name="groupsClaim"
          defaultValue={claims.groups ?? ""}
          isCode
        />
      </div>
    </details>
  );
}
