"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { usePortal } from "@/components/shell/portal";
import { type Message, msg, t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { CallFailed } from "@/components/ui/error-notice";
import { FoldedCard } from "@/components/ui/folded-card";
import { DraftLine } from "@/components/ui/form/draft-line";
import { Checkbox, Field, Input, Select } from "@/components/ui/form/field";
import { useAction } from "@/components/ui/form/use-action";
import { Loaded } from "@/components/ui/loaded";
import { notify } from "@/components/ui/toast";
import type { SecurityPolicyAnswer } from "@/lib/features/tenants/policy-contract";
import { countOf, durationOf, type Unit, unitNames } from "./durations";
import { tenantKeys } from "./query-keys";
import { StepUpField } from "./step-up-field";

interface Lifetime {
  name: Exclude<
    keyof SecurityPolicyAnswer,
    | "customerRegistration"
    | "passwordTokensByApiKey"
    | "stepUp"
    | "secondFactor"
    | "secondFactorFrom"
    | "signIn"
  >;
  label: Message;
  hint: Message;
}

const lifetimes: Lifetime[] = [
  {
    name: "sessionIdle",
    label: msg("Idle timeout"),
    hint: msg("Ends unused sessions. 1 minute to 12 hours."),
  },
  {
    name: "sessionAbsolute",
    label: msg("Maximum session length"),
    hint: msg("Ends every session. 5 minutes to 7 days."),
  },
  {
    name: "apiKeyMaximumAge",
    label: msg("Maximum key lifetime"),
    hint: msg("The latest expiration a new key may have. 1 to 366 days."),
  },
  {
    name: "anonymousToken",
    label: msg("Shopper's anonymous token"),
    hint: msg("1 minute to 1 day."),
  },
  { name: "accessToken", label: msg("Customer's access token"), hint: msg("1 minute to 1 hour.") },
  { name: "refreshIdle", label: msg("Customer idle timeout"), hint: msg("1 hour to 180 days.") },
  {
    name: "refreshAbsolute",
    label: msg("Maximum customer sign-in"),
    hint: msg("1 hour to 366 days."),
  },
  {
    name: "refreshGrace",
    label: msg("Refresh-token reuse grace period"),
    hint: msg("0 to 60 seconds."),
  },
];

const fields = [...lifetimes.map(({ name }) => `/${name}`), "/stepUp"];

export function SecurityCard() {
  const { view, call } = usePortal();
  const found = useQuery({
    queryKey: tenantKeys.securityPolicy(view.tenant),
    queryFn: ({ signal }) => call("GET /v1/tenant/security-policy", { signal }),
  });
  return (
    <FoldedCard
      id="security"
      title={t("Security")}
      description={t(
        "Lifetimes of credentials and who may register. Changes apply to new credentials only.",
      )}
    >
      <Loaded found={found} failed={t("The policy could not be loaded")} skeleton="h-80">
        {(policy) => <PolicyForm key={JSON.stringify(policy)} policy={policy} />}
      </Loaded>
    </FoldedCard>
  );
}

function policyOf(policy: SecurityPolicyAnswer, form: FormData) {
  const durations = lifetimes.map(({ name }) => [
    name,
    durationOf(Number(form.get(name)), form.get(`${name}-unit`) as Unit),
  ]);
  // The card of the sign-in sets the rest.
  return {
    ...policy,
    ...Object.fromEntries(durations),
    customerRegistration: form.has("customerRegistration"),
    passwordTokensByApiKey: form.has("passwordTokensByApiKey"),
    stepUp: String(form.get("stepUp")),
  };
}

function PolicyForm({ policy }: { policy: SecurityPolicyAnswer }) {
  const { view, call } = usePortal();
  const queries = useQueryClient();
  const { busy, errors, error, form, draft } = useAction(
    async (values) => {
      const body = policyOf(policy, values);
      const saved = await call("PUT /v1/tenant/security-policy", { body });
      queries.setQueryData(tenantKeys.securityPolicy(view.tenant), saved);
      void notify(t("Security policy saved"));
    },
    fields,
    "security-policy",
  );
  return (
    <form method="post" {...form} className="flex flex-col gap-4">
      {error ? <CallFailed title={t("The policy was not saved")} error={error} /> : null}
      <div className="grid gap-4 sm:grid-cols-2">
        {lifetimes.map((lifetime) => (
          <LifetimeField
            key={lifetime.name}
            {...lifetime}
            value={policy[lifetime.name]}
            error={errors[`/${lifetime.name}`]}
          />
        ))}
      </div>
      <StepUpField value={policy.stepUp} error={errors["/stepUp"]} />
      <PolicySwitch
        name="customerRegistration"
        label={t("Shoppers may register themselves")}
        hint={t("Applies to every site. Existing customers can still sign in.")}
        allowed={policy.customerRegistration}
      />
      <PolicySwitch
        name="passwordTokensByApiKey"
        label={t("API keys may create customers' password tokens")}
        hint={t(
          "For automated mailers. A key with customer.manage can then take over every customer account of its sites.",
        )}
        allowed={policy.passwordTokensByApiKey}
      />
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" tone="primary" busy={busy}>
          {t("Save policy")}
        </Button>
        <DraftLine draft={draft} />
      </div>
    </form>
  );
}

interface LifetimeFieldProps extends Lifetime {
  /** An ISO 8601 duration. */
  value: string;
  error: string | undefined;
}

function LifetimeField({ name, label, hint, value, error }: LifetimeFieldProps) {
  const { count, unit } = countOf(value);
  return (
    <Field label={t(label)} hint={t(hint)} error={error}>
      {(control) => (
        <span className="flex gap-2">
          <Input
            {...control}
            name={name}
            type="number"
            min={0}
            step={1}
            required
            defaultValue={count}
            className="max-w-28"
          />
          <Select
            name={`${name}-unit`}
            aria-label={t("Unit of: {label}", { label: t(label) })}
            defaultValue={unit}
          >
            {Object.entries(unitNames).map(([one, name]) => (
              <option key={one} value={one}>
                {t(name)}
              </option>
            ))}
          </Select>
        </span>
      )}
    </Field>
  );
}

interface PolicySwitchProps {
  name: "customerRegistration" | "passwordTokensByApiKey";
  label: string;
  hint: string;
  allowed: boolean;
}

function PolicySwitch({ name, label, hint, allowed }: PolicySwitchProps) {
  return (
    <div>
      <Checkbox
        label={label}
        name={name}
        defaultChecked={allowed}
        aria-describedby={`${name}-hint`}
      />
      <p id={`${name}-hint`} className="mt-1 text-meta text-muted">
        {hint}
      </p>
    </div>
  );
}
