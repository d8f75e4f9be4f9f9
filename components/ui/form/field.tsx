import { ChevronDown } from "lucide-react";
import { type ComponentProps, type ReactNode, useId } from "react";
import { classNames } from "@/components/ui/class-names";

interface CheckboxProps extends Omit<ComponentProps<"input">, "type"> {
  label: ReactNode;
}

export function Checkbox({ label, ...rest }: CheckboxProps) {
  return (
    <label className="inline-flex min-h-6 cursor-pointer items-center gap-2 text-control">
      <input type="checkbox" className="size-4 shrink-0 accent-accent" {...rest} />
      <span>{label}</span>
    </label>
  );
}

export const controlLook = classNames(
  "h-8 w-full rounded-control border border-border-strong bg-bg px-2.5 text-control text-text",
  "placeholder:text-faint hover:border-muted focus-visible:outline-offset-0",
  "aria-invalid:border-danger disabled:cursor-not-allowed disabled:bg-subtle disabled:text-muted",
  "transition-colors duration-[120ms]",
);

export function Input({ className, ...rest }: ComponentProps<"input">) {
  return <input className={classNames(controlLook, className)} {...rest} />;
}

interface ControlProps {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": true | undefined;
}

interface FieldProps {
  label: string;
  hint?: ReactNode;
  /** The error of the value, in words. */
  error?: string | undefined;
  children: (control: ControlProps) => ReactNode;
}

/** A label, its control, hint and error. The control receives the ids that connect them. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  const described = [hint ? `${id}-hint` : "", error ? `${id}-error` : ""]
    .filter(Boolean)
    .join(" ");
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-body font-medium">
        {label}
      </label>
      {children({
        id,
        "aria-describedby": described || undefined,
        "aria-invalid": error ? true : undefined,
      })}
      {error ? (
        <p id={`${id}-error`} className="text-body text-danger">
          {error}
        </p>
      ) : null}
      {hint ? (
        <div id={`${id}-hint`} className="text-meta text-muted">
          {hint}
        </div>
      ) : null}
    </div>
  );
}

/** The native select: it works on phones, with screen readers and with any number of options. */
export function Select({ className, children, ...rest }: ComponentProps<"select">) {
  return (
    <span className={classNames("relative inline-flex", className)}>
      <select className={classNames(controlLook, "appearance-none pe-8")} {...rest}>
        {children}
      </select>
      <ChevronDown
        aria-hidden="true"
        className="pointer-events-none absolute end-2 top-2 size-4 text-muted"
      />
    </span>
  );
}

interface TextFieldProps extends Omit<ComponentProps<typeof Input>, "id"> {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  /** An id, a login or a tag: browsers neither complete, capitalise nor correct it. */
  isCode?: boolean;
}

const code = { autoComplete: "off", autoCapitalize: "none", spellCheck: false } as const;

/** A label and a line of text. */
export function TextField({ label, hint, error, isCode = false, ...rest }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => <Input {...control} {...(isCode ? code : {})} {...rest} />}
    </Field>
  );
}
