import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { type Message, t } from "@/components/texts/t";
import type { BadgeTone } from "@/components/ui/badge";
import { classNames } from "@/components/ui/class-names";

export interface StatusChip<Value extends string> {
  value: Value;
  label: Message;
  /** The tone that rows of this status have. */
  tone?: BadgeTone;
  /** The number of rows, if it is known for all chips. */
  count?: number;
}

interface StatusChipsProps<Value extends string> {
  /** The property that the chips filter by, such as "Status". */
  label: string;
  chips: readonly StatusChip<Value>[];
  /** The chosen chip; "" for none, or for the chip with that value. */
  value: Value | "";
  onChange: (value: Value | "") => void;
  /** Content at the end of the row, such as the menu of saved views. */
  end?: ReactNode;
}

const dots: Record<BadgeTone, string> = {
  neutral: "bg-faint",
  accent: "bg-accent",
  success: "bg-success",
  warning: "bg-warning",
  danger: "bg-danger",
};

/** Filters of a list by its status, all visible: at most one is pressed, and pressing it again clears it. */
export function StatusChips<Value extends string>(props: StatusChipsProps<Value>) {
  const { label, chips, value, onChange, end } = props;
  return (
    <div className="flex flex-wrap items-center gap-1.5 border-b border-border px-3 py-2 print:hidden">
      <fieldset aria-label={label} className="contents">
        {chips.map((chip) => (
          <Chip
            key={chip.value}
            chip={chip}
            isPressed={chip.value === value}
            onPress={() => onChange(chip.value === value ? "" : chip.value)}
          />
        ))}
      </fieldset>
      {end ? <div className="ms-auto">{end}</div> : null}
    </div>
  );
}

interface ChipProps {
  chip: StatusChip<string>;
  isPressed: boolean;
  onPress: () => void;
}

function Chip({ chip: { label, tone, count }, isPressed, onPress }: ChipProps) {
  return (
    <button
      type="button"
      aria-pressed={isPressed}
      onClick={onPress}
      className={classNames(
        "inline-flex h-7 select-none items-center gap-1.5 whitespace-nowrap rounded-full border px-2.5 text-body transition-colors duration-[120ms]",
        isPressed
          ? "border-accent bg-accent-bg font-medium text-accent"
          : "border-border-strong text-text hover:bg-subtle",
      )}
    >
      {isPressed ? (
        <Check aria-hidden="true" className="size-3.5" />
      ) : tone ? (
        <span aria-hidden="true" className={classNames("size-1.5 rounded-full", dots[tone])} />
      ) : null}
      {t(label)}
      {count === undefined ? null : <span className="figures">{count}</span>}
    </button>
  );
}
