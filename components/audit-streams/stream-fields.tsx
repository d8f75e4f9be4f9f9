"use client";

import { type Message, msg, t } from "@/components/texts/t";
import { controlLook, Field, TextField } from "@/components/ui/form/field";
import { textOf } from "@/components/ui/form/use-action";
import type { AuditStream } from "@/lib/features/destinations/audit-streams/contract";
import { type StreamKind, streamFields } from "@/lib/features/destinations/values";

type Name = (typeof streamFields)[StreamKind]["needs" | "may"][number];

interface Shown {
  label: Message;
  hint?: Message;
  placeholder?: string;
  isSecret?: true;
}

const shown: Record<Name, Shown> = {
  url: { label: msg("URL"), placeholder: "https://siem.example.com/gatehouse" },
  authorization: {
    label: msg("Authorization"),
    hint: msg(
      "The value of this header, such as Bearer and a token. Stored encrypted, never shown again.",
    ),
    isSecret: true,
  },
  host: { label: msg("Host"), placeholder: "syslog.example.com" },
  port: { label: msg("Port"), placeholder: "6514" },
  region: { label: msg("Region"), placeholder: "eu-central-1" },
  bucket: { label: msg("Bucket") },
  accessKeyId: {
    label: msg("Access key id"),
    hint: msg("It needs s3:PutObject and nothing else."),
  },
  secretAccessKey: {
    label: msg("Secret access key"),
    hint: msg("Stored encrypted, never shown again."),
    isSecret: true,
  },
  prefix: { label: msg("Prefix"), hint: msg("Prefix of object names, such as gatehouse/.") },
  every: {
    label: msg("Batch window"),
    hint: msg("A duration such as PT1M. At most PT15M."),
    placeholder: "PT1M",
  },
  folder: {
    label: msg("Folder"),
    hint: msg("Relative to the folder of this tenant, which the operator sets."),
  },
  ca: {
    label: msg("Certificate authority"),
    hint: msg("PEM. Leave empty for public certificate authorities."),
  },
};

const namesOf = (kind: StreamKind): Name[] => [
  ...streamFields[kind].needs,
  ...streamFields[kind].may,
];

/** The fields that show their own errors. */
export const fieldPointers = [
  ...Object.keys(shown).map((name) => `/${name}`),
  "/kind",
  "/description",
];

/** The form values by name; empty ones are left out. */
export function settingsOf(form: FormData, kind: StreamKind) {
  const texts = namesOf(kind).flatMap((name) => {
    const text = textOf(form, name);
    return text === "" ? [] : [[name, text] as const];
  });
  const { port, ...rest } = Object.fromEntries(texts) as Partial<Record<Name, string>>;
  return { ...rest, ...(port === undefined ? {} : { port: Number(port) }) };
}

interface StreamFieldsProps {
  kind: StreamKind;
  errors: Record<string, string>;
  /** The stream being changed: its secrets may stay as they are. */
  stream?: AuditStream;
}

/** The required and optional fields of a stream of the kind. */
export function StreamFields({ kind, errors, stream }: StreamFieldsProps) {
  const needed: readonly Name[] = streamFields[kind].needs;
  return (
    <>
      {namesOf(kind).map((name) =>
        name === "ca" ? (
          <AuthorityField key={name} error={errors["/ca"]} value={stream?.ca} />
        ) : (
          <TextField
            key={name}
            name={name}
            label={t(shown[name].label)}
            hint={hintOf(name, stream)}
            placeholder={shown[name].placeholder}
            type={shown[name].isSecret ? "password" : "text"}
            defaultValue={
              name in (stream ?? {}) ? String(stream?.[name as "url"] ?? "") : undefined
            }
            isCode
            required={needed.includes(name) && !(stream && shown[name].isSecret)}
            error={errors[`/${name}`]}
          />
        ),
      )}
      <TextField
        name="description"
        label={t("Description")}
        defaultValue={stream?.description}
        error={errors["/description"]}
      />
    </>
  );
}

const hintOf = (name: Name, stream: AuditStream | undefined) => {
  const { hint, isSecret } = shown[name];
  return stream && isSecret ? t("Stays as it is while this is empty.") : hint && t(hint);
};

function AuthorityField({
  error,
  value,
}: {
  error: string | undefined;
  value: string | undefined;
}) {
  return (
    <Field label={t(shown.ca.label)} hint={shown.ca.hint && t(shown.ca.hint)} error={error}>
      {(control) => (
        <textarea
          {...control}
          name="ca"
          rows={3}
          defaultValue={value}
          spellCheck={false}
          className={`${controlLook} h-auto py-1.5`}
        />
      )}
    </Field>
  );
}
