"use client";

import { useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { type Message, msg, t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { CallFailed } from "@/components/ui/error-notice";
import { Field, Input, Select } from "@/components/ui/form/field";
import { textOf, useAction } from "@/components/ui/form/use-action";
import { notify } from "@/components/ui/toast";
import type { SecurityPolicyAnswer } from "@/lib/features/tenants/policy-contract";

const requirements: Record<SecurityPolicyAnswer["secondFactor"], Message> = {
  off: msg("Nobody##second factor"),
  administrators: msg("Administrators"),
  everybody: msg("Everybody"),
};

const passwords: Record<SecurityPolicyAnswer["signIn"]["password"], Message> = {
  everybody: msg("Everybody"),
  "emergency-only": msg("Emergency administrators only"),
};

const passkeys: Record<SecurityPolicyAnswer["signIn"]["passkeys"], Message> = {
  on: msg("Everybody"),
  off: msg("Nobody##passkey"),
};

interface SignInPolicyFormProps {
  policy: SecurityPolicyAnswer;
  onSaved: (policy: SecurityPolicyAnswer) => void;
}

function bodyOf(policy: SecurityPolicyAnswer, form: FormData) {
  const { secondFactorFrom: _, ...others } = policy;
  const secondFactor = textOf(form, "secondFactor") as SecurityPolicyAnswer["secondFactor"];
  const from = textOf(form, "secondFactorFrom");
  return {
    ...others,
    secondFactor,
    ...(secondFactor !== "off" && from !== "" && { secondFactorFrom: from }),
    signIn: {
      password: textOf(form, "password") as SecurityPolicyAnswer["signIn"]["password"],
      passkeys: textOf(form, "passkeys") as SecurityPolicyAnswer["signIn"]["passkeys"],
    },
  };
}

/** The required and the accepted proofs of a sign-in. */
export function SignInPolicyForm({ policy, onSaved }: SignInPolicyFormProps) {
  const { call } = usePortal();
  const { busy, errors, error, submit } = useAction(
    async (values) => {
      onSaved(await call("PUT /v1/tenant/security-policy", { body: bodyOf(policy, values) }));
      void notify(t("Security policy saved"));
    },
    ["/secondFactorFrom"],
  );
  return (
    <form method="post" onSubmit={submit} className="flex flex-col gap-4">
      {error ? <CallFailed title={t("The policy was not saved")} error={error} /> : null}
      <SecondFactorFields policy={policy} error={errors["/secondFactorFrom"]} />
      <MethodFields policy={policy} />
      <div>
        <Button type="submit" tone="primary" busy={busy}>
          {t("Save sign-in policy")}
        </Button>
      </div>
    </form>
  );
}

interface SecondFactorFieldsProps {
  policy: SecurityPolicyAnswer;
  error: string | undefined;
}

function SecondFactorFields({ policy, error }: SecondFactorFieldsProps) {
  const [requirement, setRequirement] = useState<string>(policy.secondFactor);
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field
        label={t("Who needs a second factor")}
        hint={t("Who has none sets one up at the next sign-in with a password.")}
      >
        {(control) => (
          <Options
            {...{ control, name: "secondFactor", words: requirements, value: policy.secondFactor }}
            onChange={setRequirement}
          />
        )}
      </Field>
      {requirement === "off" ? null : (
        <Field
          label={t("From this day on")}
          hint={t("At 0:00 UTC; empty: at once. Until then Home reminds people.")}
          error={error}
        >
          {(control) => (
            <Input
              {...control}
              name="secondFactorFrom"
              type="date"
              defaultValue={policy.secondFactorFrom}
              className="max-w-48"
            />
          )}
        </Field>
      )}
    </div>
  );
}

const MethodFields = ({ policy }: { policy: SecurityPolicyAnswer }) => (
  <div className="grid gap-4 sm:grid-cols-2">
    <Field
      label={t("Who may sign in with a password")}
      hint={t(
        "Only emergency administrators: everybody else signs in at the identity provider, and links to set a password no longer work for them.",
      )}
    >
      {(control) => (
        <Options
          {...{ control, name: "password", words: passwords, value: policy.signIn.password }}
        />
      )}
    </Field>
    <Field
      label={t("Who may sign in with only a passkey")}
      hint={t("As a second factor after a password, passkeys always work.")}
    >
      {(control) => (
        <Options
          {...{ control, name: "passkeys", words: passkeys, value: policy.signIn.passkeys }}
        />
      )}
    </Field>
  </div>
);

interface OptionsProps {
  control: object;
  name: string;
  words: Record<string, Message>;
  value: string;
  onChange?: (value: string) => void;
}

const Options = ({ control, name, words, value, onChange }: OptionsProps) => (
  <Select
    {...control}
    name={name}
    defaultValue={value}
    onChange={(event) => onChange?.(event.currentTarget.value)}
  >
    {Object.entries(words).map(([one, word]) => (
      <option key={one} value={one}>
        {t(word)}
      </option>
    ))}
  </Select>
);
