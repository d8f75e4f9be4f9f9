"use client";

import type { ReactNode } from "react";
import { usePortal } from "@/components/shell/portal";
import { t, translated } from "@/components/texts/t";
import { Field, Select, TextField } from "@/components/ui/form/field";
import type { Alert } from "@/lib/features/alerts/contract";
import { alertMeasures, measureNames } from "@/lib/features/alerts/values";
import { windowText } from "./alert-words";
import { shownThreshold } from "./rule-body";

const windows = ["PT5M", "PT15M", "PT30M", "PT1H", "PT3H", "PT6H"];

interface RuleFieldsProps {
  errors: Record<string, string>;
  /** The rule being changed. */
  alert?: Alert | undefined;
}

/** The measure and threshold of a rule, and the calls that it covers. */
export function RuleFields({ errors, alert }: RuleFieldsProps) {
  const {
    measure = "error-rate",
    threshold = 0.05,
    window = "PT1H",
    minimumCount = 100,
  } = alert ?? {};
  return (
    <>
      <TextField
        name="name"
        label={t("Name")}
        placeholder={t("Checkout fails")}
        defaultValue={alert?.name}
        required
        error={errors["/name"]}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <Choice name="measure" label={t("Measure")} value={measure} error={errors["/measure"]}>
          {alertMeasures.map((one) => (
            <option key={one} value={one}>
              {translated(measureNames[one])}
            </option>
          ))}
        </Choice>
        <NumberField
          name="threshold"
          label={t("Threshold")}
          hint={t("Rates in percent, latency in ms, calls and silence in calls per minute.")}
          defaultValue={shownThreshold(measure, threshold)}
          error={errors["/threshold"]}
        />
        <WindowChoice window={window} error={errors["/window"]} />
        <NumberField
          name="minimumCount"
          label={t("Minimum calls")}
          hint={t("In the window; for silence on the day before it.")}
          defaultValue={minimumCount}
          error={errors["/minimumCount"]}
        />
      </div>
      <FilterFields errors={errors} alert={alert} />
    </>
  );
}

function WindowChoice({ window, error }: { window: string; error: string | undefined }) {
  const choices = windows.includes(window) ? windows : [...windows, window];
  return (
    <Choice name="window" label={t("Window")} value={window} error={error}>
      {choices.map((one) => (
        <option key={one} value={one}>
          {windowText(one)}
        </option>
      ))}
    </Choice>
  );
}

function FilterFields({ errors, alert }: RuleFieldsProps) {
  const { view } = usePortal();
  const { site = "", domain, endpoint, apiKey } = alert?.filter ?? {};
  return (
    <fieldset className="grid gap-4 sm:grid-cols-2">
      <legend className="mb-3 text-body text-muted">
        {t("Which calls. Leave fields empty to include all.")}
      </legend>
      <Choice name="site" label={t("Site")} value={site} error={errors["/filter/site"]}>
        <option value="">{t("all sites")}</option>
        {view.sites.map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </Choice>
      <TextField
        name="endpoint"
        label={t("Endpoint")}
        placeholder="GET /v1/user/list"
        defaultValue={endpoint}
        isCode
        error={errors["/filter/endpoint"]}
      />
      <TextField
        name="apiKey"
        label={t("API key id")}
        placeholder="key_..."
        defaultValue={apiKey}
        isCode
        error={errors["/filter/apiKey"]}
      />
      <TextField
        name="domain"
        label={t("Domain")}
        placeholder="customer"
        defaultValue={domain}
        isCode
        error={errors["/filter/domain"]}
      />
    </fieldset>
  );
}

interface NumberFieldProps {
  name: string;
  label: string;
  hint: string;
  defaultValue: number;
  error: string | undefined;
}

const NumberField = (props: NumberFieldProps) => (
  <TextField {...props} type="number" inputMode="decimal" min={0} step="any" required />
);

interface ChoiceProps {
  name: string;
  label: string;
  value: string;
  error: string | undefined;
  children: ReactNode;
}

function Choice({ name, label, value, error, children }: ChoiceProps) {
  return (
    <Field label={label} error={error}>
      {(control) => (
        <Select {...control} name={name} defaultValue={value}>
          {children}
        </Select>
      )}
    </Field>
  );
}
