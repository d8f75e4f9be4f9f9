import { controlLook, Field, Select, TextField } from "@/components/ui/form/field";
import { Segmented } from "@/components/ui/form/segmented";
import {
  type Credential,
  type Filled,
  keyOf,
  listCredentials,
  listFields,
  type TriedOperation,
  type TriedParameter,
} from "./try-request";

const credentialLabels: Record<Credential, string> = {
  own: "Your session",
  apiKey: "API key",
  bearer: "Bearer token",
  none: "None",
};

interface TryFieldsProps {
  operation: TriedOperation;
  filled: Filled;
  onChange: (filled: Filled) => void;
}

type Set = (changes: Partial<Filled>) => void;

/** The parts of a request: credential, address, parameters and body. */
export function TryFields({ operation, filled, onChange }: TryFieldsProps) {
  const set: Set = (changes) => onChange({ ...filled, ...changes });
  return (
    <>
      <CredentialFields operation={operation} filled={filled} set={set} />
      {operation.needsTenant ? (
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label="Tenant"
            isCode
            required
            value={filled.tenant}
            onChange={({ target }) => set({ tenant: target.value })}
          />
          <TextField
            label="Site"
            isCode
            required={operation.needsSite}
            value={filled.site}
            onChange={({ target }) => set({ site: target.value })}
          />
        </div>
      ) : null}
      <ParameterFields operation={operation} filled={filled} set={set} />
      {operation.body ? <BodyField filled={filled} set={set} /> : null}
    </>
  );
}

interface PartProps {
  filled: Filled;
  set: Set;
}

/** More optional parameters than this are folded, so that the button stays in view. */
const maxOpen = 3;

function ParameterFields({ operation, filled, set }: PartProps & { operation: TriedOperation }) {
  const fields = listFields(operation);
  const optional = fields.filter(({ required }) => !required);
  const isFolded = optional.length > maxOpen;
  const shown = isFolded ? fields.filter(({ required }) => required) : fields;
  return (
    <>
      {shown.map((one) => (
        <ParameterField key={keyOf(one)} parameter={one} filled={filled} set={set} />
      ))}
      {isFolded ? (
        <details>
          <summary className="cursor-pointer rounded-[3px] text-body text-muted">
            {optional.length} optional parameters
          </summary>
          <div className="mt-3 flex flex-col gap-4">
            {optional.map((one) => (
              <ParameterField key={keyOf(one)} parameter={one} filled={filled} set={set} />
            ))}
          </div>
        </details>
      ) : null}
    </>
  );
}

function ParameterField({ parameter, filled, set }: PartProps & { parameter: TriedParameter }) {
  const { name, place, required, choices } = parameter;
  const key = keyOf(parameter);
  const value = filled.values[key] ?? "";
  const change = (next: string) => set({ values: { ...filled.values, [key]: next } });
  const label = `${name} (${place})`;
  if (!choices)
    return (
      <TextField
        label={label}
        isCode
        required={required}
        value={value}
        onChange={({ target }) => change(target.value)}
      />
    );
  return (
    <Field label={label}>
      {(control) => (
        <Select {...control} value={value} onChange={({ target }) => change(target.value)}>
          <option value="">Not sent</option>
          {choices.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </Select>
      )}
    </Field>
  );
}

function CredentialFields({ operation, filled, set }: PartProps & { operation: TriedOperation }) {
  const options = listCredentials(operation);
  const { credential, secret } = filled;
  if (options.length === 0)
    return <p className="text-body text-muted">Sign in to the portal first: it takes a session.</p>;
  return (
    <>
      {options.length > 1 ? (
        <Segmented
          legend="Credential"
          name="try-credential"
          options={options.map((value) => ({ value, label: credentialLabels[value] }))}
          value={credential}
          onChange={(chosen) => set({ credential: chosen, secret: "" })}
        />
      ) : null}
      {credential === "apiKey" || credential === "bearer" ? (
        <TextField
          label={credentialLabels[credential]}
          hint="Kept on this page only, until you leave it."
          isCode
          required
          type="password"
          value={secret}
          onChange={({ target }) => set({ secret: target.value })}
        />
      ) : null}
    </>
  );
}

function BodyField({ filled, set }: PartProps) {
  return (
    <Field label="Body">
      {(control) => (
        <textarea
          {...control}
          rows={8}
          spellCheck={false}
          className={`${controlLook} h-auto py-2 font-mono text-meta`}
          value={filled.body}
          onChange={({ target }) => set({ body: target.value })}
        />
      )}
    </Field>
  );
}
