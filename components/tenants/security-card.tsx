"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { usePortal } from "@/components/shell/portal";
import { Button } from "@/components/ui/button";
import { CallFailed } from "@/components/ui/call-failed";
import { Card } from "@/components/ui/card";
import { Checkbox } from "@/components/ui/checkbox";
import { DraftLine } from "@/components/ui/draft-line";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Loaded } from "@/components/ui/loaded";
import { Select } from "@/components/ui/select";
import { notify } from "@/components/ui/toast";
import { useAction } from "@/components/ui/use-action";
import type { SecurityPolicyAnswer } from "@/lib/features/tenants/policy-contract";
import { countOf, durationOf, type Unit, units } from "./durations";
import { tenantKeys } from "./query-keys";

interface Lifetime {
  name: Exclude<keyof SecurityPolicyAnswer, "customerRegistration" | "passwordTokensByApiKey">;
  label: string;
  hint: string;
}

const lifetimes: Lifetime[] = [
  {
    name: "sessionIdle",
    label: "Idle timeout",
    hint: "Ends unused sessions. 1 minute to 12 hours.",
  },
  {
    name: "sessionAbsolute",
    label: "Maximum session length",
    hint: "Ends every session. 5 minutes to 7 days.",
  },
  {
    name: "apiKeyMaximumAge",
    label: "Maximum key lifetime",
    hint: "The latest expiration a new key may have. 1 to 366 days.",
  },
  { name: "anonymousToken", label: "Shopper's anonymous token", hint: "1 minute to 1 day." },
  { name: "accessToken", label: "Customer's access token", hint: "1 minute to 1 hour." },
  { name: "refreshIdle", label: "Customer idle timeout", hint: "1 hour to 180 days." },
  {
    name: "refreshAbsolute",
    label: "Maximum customer sign-in",
    hint: "1 hour to 366 days.",
  },
  { name: "refreshGrace", label: "Refresh-token reuse grace period", hint: "0 to 60 seconds." },
];

export function SecurityCard() {
  const { view, call } = usePortal();
  const found = useQuery({
    queryKey: tenantKeys.securityPolicy(view.tenant),
    queryFn: ({ signal }) => call("GET /v1/tenant/security-policy", { signal }),
  });
  return (
    <Card
      id="security"
      title="Security"
      description="Lifetimes of credentials and who may register. Changes apply to new credentials only."
    >
      <Loaded found={found} failed="The policy could not be loaded" skeleton="h-80">
        {(policy) => <PolicyForm key={JSON.stringify(policy)} policy={policy} />}
      </Loaded>
    </Card>
  );
}

function policyOf(form: FormData) {
  const durations = lifetimes.map(({ name }) => [
    name,
    durationOf(Number(form.get(name)), form.get(`${name}-unit`) as Unit),
  ]);
  return {
    ...Object.fromEntries(durations),
    customerRegistration: form.has("customerRegistration"),
    passwordTokensByApiKey: form.has("passwordTokensByApiKey"),
  };
}

function PolicyForm({ policy }: { policy: SecurityPolicyAnswer }) {
  const { view, call } = usePortal();
  const queries = useQueryClient();
  const { busy, errors, error, form, draft } = useAction(
    async (values) => {
      const saved = await call("PUT /v1/tenant/security-policy", { body: policyOf(values) });
      queries.setQueryData(tenantKeys.securityPolicy(view.tenant), saved);
      void notify("Security policy saved");
    },
    lifetimes.map(({ name }) => `/${name}`),
    "security-policy",
  );
  return (
    <form {...form} className="flex flex-col gap-4">
      {error ? <CallFailed title="The policy was not saved" error={error} /> : null}
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
      <PolicySwitch
        name="customerRegistration"
        label="Shoppers may register themselves"
        hint="Applies to every site. Existing customers can still sign in."
        allowed={policy.customerRegistration}
      />
      <PolicySwitch
        name="passwordTokensByApiKey"
        label="API keys may create customers' password tokens"
        hint="For automated mailers. A key with customer.manage can then take over every customer account of its sites."
        allowed={policy.passwordTokensByApiKey}
      />
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" tone="primary" busy={busy}>
          Save policy
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
    <Field label={label} hint={hint} error={error}>
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
          <Select name={`${name}-unit`} aria-label={`Unit of: ${label}`} defaultValue={unit}>
            {Object.keys(units).map((one) => (
              <option key={one}>{one}</option>
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
