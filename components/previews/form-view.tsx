"use client";

import type { Node } from "jsonc-parser";
import { useState } from "react";
import { plural, t } from "@/components/texts/t";
import { Field, Input, Select } from "@/components/ui/form/field";
import { Instant } from "@/components/ui/instant";
import { type FormPart, propertyOf, setValue } from "./json-document";
import type { PlacedProblem } from "./problems";
import { ViewportsField } from "./viewports-field";

/** Language tags separated by commas; input is not reformatted until the field loses the focus. */
function LocalesField({ text, root, problemOf, onChange }: FormPart) {
  const [typed, setTyped] = useState<string>();
  const value = propertyOf(root, "locales");
  const isList =
    value === undefined || (Array.isArray(value) && value.every((tag) => typeof tag === "string"));
  const shown =
    typed ??
    (Array.isArray(value) && isList
      ? value.join(", ")
      : value === undefined
        ? ""
        : JSON.stringify(value));
  const change = (next: string) => {
    setTyped(next);
    const tags = next
      .split(",")
      .map((tag) => tag.trim())
      .filter(Boolean);
    onChange(
      setValue(
        text,
        ["locales"],
        tags.length > 0 ? `[${tags.map((tag) => JSON.stringify(tag)).join(", ")}]` : undefined,
      ),
    );
  };
  return (
    <Field
      label={t("Locales")}
      error={problemOf("locales")}
      hint={
        isList
          ? t("Language tags with commas between, such as de-AT, en.")
          : t("Correct the list in the JSON view.")
      }
    >
      {(control) => (
        <Input
          {...control}
          disabled={!isList}
          value={shown}
          onChange={(event) => change(event.target.value)}
          onBlur={() => setTyped(undefined)}
        />
      )}
    </Field>
  );
}

interface FormViewProps extends Omit<FormPart, "problemOf" | "root"> {
  root: Node | undefined;
  problems: PlacedProblem[];
}

const known = new Set([
  "title",
  "enabled",
  "stage",
  "urlTemplate",
  "locales",
  "effectiveAt",
  "viewports",
]);

/** A problem's detail next to its field, without the name of the field. */
function detailAtField(name: string, { detail }: PlacedProblem): string {
  const rest = detail.startsWith(`/${name} `) ? detail.slice(name.length + 2) : detail;
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}

/** The known properties as fields; every edit changes only its place in the text. */
export function FormView({ root, problems, ...rest }: FormViewProps) {
  if (!root)
    return (
      <p className="p-4 text-control">
        {t(
          "The text is not valid JSON at the moment. Correct it in the JSON view; nothing is lost.",
        )}
      </p>
    );
  const problemOf = (name: string) => {
    const problem = problems.find(
      ({ pointer }) => pointer === `/${name}` || pointer.startsWith(`/${name}/`),
    );
    return problem && detailAtField(name, problem);
  };
  const part: FormPart = { ...rest, root, problemOf };
  const others = (root.children ?? []).filter(
    ({ children }) => !known.has(String(children?.[0]?.value)),
  ).length;
  return (
    <fieldset disabled={rest.readOnly} className="flex min-w-0 flex-col gap-4 p-4">
      <legend className="sr-only">{t("Known fields")}</legend>
      <TextField {...part} name="title" label={t("Title")} />
      <StateFields {...part} />
      <TextField
        {...part}
        name="urlTemplate"
        label={t("URL template")}
        hint={t("https only, or http on localhost. Variables: {entityType}, {slug}, {locale}.")}
        isCode
      />
      <LocalesField {...part} />
      <EffectiveField {...part} />
      <ViewportsField {...part} />
      {others > 0 ? (
        <p className="text-muted">
          {plural(
            others,
            "1 more field is kept as is: see JSON.",
            "{count} more fields are kept as is: see JSON.",
          )}
        </p>
      ) : null}
    </fieldset>
  );
}

function StateFields(part: FormPart) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <ChoiceField
        {...part}
        name="enabled"
        label={t("Enabled")}
        choices={{ true: t("Yes"), false: t("No") }}
      />
      <ChoiceField
        {...part}
        name="stage"
        label={t("Stage")}
        choices={{ '"draft"': t("Draft"), '"staged"': t("Staged"), '"live"': t("Live") }}
      />
    </div>
  );
}

interface TextFieldProps extends FormPart {
  name: string;
  label: string;
  hint?: React.ReactNode;
  isCode?: boolean;
}

function TextField({
  name,
  label,
  hint,
  isCode = false,
  text,
  root,
  problemOf,
  onChange,
}: TextFieldProps) {
  const value = propertyOf(root, name);
  const change = (next: string) => onChange(setValue(text, [name], JSON.stringify(next)));
  return (
    <Field label={label} hint={hint} error={problemOf(name)}>
      {(control) => (
        <Input
          {...control}
          className={isCode ? "font-mono text-body!" : ""}
          value={
            typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value)
          }
          onChange={(event) => change(event.target.value)}
          onBlur={() => value === "" && onChange(setValue(text, [name], undefined))}
        />
      )}
    </Field>
  );
}

function EffectiveField(part: FormPart) {
  const value = propertyOf(part.root, "effectiveAt");
  const isInstant =
    typeof value === "string" && !part.problemOf("effectiveAt") && !Number.isNaN(Date.parse(value));
  const hint = isInstant ? (
    <Instant at={value} form="full" />
  ) : (
    t("An instant with its offset, such as 2026-12-01T08:00:00Z.")
  );
  return <TextField {...part} name="effectiveAt" label={t("Effective from")} hint={hint} isCode />;
}

interface ChoiceFieldProps extends FormPart {
  name: string;
  label: string;
  /** Labels by their JSON value. */
  choices: Record<string, string>;
}

function ChoiceField({ name, label, choices, text, root, problemOf, onChange }: ChoiceFieldProps) {
  const value = JSON.stringify(propertyOf(root, name)) ?? "";
  const isKnown = value === "" || Object.hasOwn(choices, value);
  return (
    <Field label={label} error={problemOf(name)}>
      {(control) => (
        <Select
          {...control}
          className="w-full"
          value={value}
          onChange={(event) => onChange(setValue(text, [name], event.target.value || undefined))}
        >
          <option value="">{t("Not set")}</option>
          {Object.entries(choices).map(([json, words]) => (
            <option key={json} value={json}>
              {words}
            </option>
          ))}
          {isKnown ? null : <option value={value}>{value.slice(0, 60)}</option>}
        </Select>
      )}
    </Field>
  );
}
