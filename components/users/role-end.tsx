"use client";

import { useState } from "react";
import { t } from "@/components/texts/t";
import { dayAndTime } from "@/components/ui/instant-words";
import { lazyPart } from "@/components/ui/lazy-part";
import type { Wish } from "./access-changes";

const RoleEndDialog = lazyPart(() =>
  import("./end-dialogs").then((module) => module.RoleEndDialog),
);

interface RoleEndProps {
  state: Wish;
  /** The role and its place. */
  label: string;
  disabled: boolean;
  onEnd: (wanted: Wish) => void;
}

/** The end of a ticked role, and a button to change it. */
export function RoleEnd({ state, label, disabled, onEnd }: RoleEndProps) {
  const [isOpen, setIsOpen] = useState(false);
  if (state === false) return null;
  const end = typeof state === "string" ? state : undefined;
  if (disabled && end === undefined) return null;
  const words =
    end === undefined ? t("for good") : t("until {end}", { end: dayAndTime(new Date(end)) });
  if (disabled) return <span className="text-meta text-muted">{words}</span>;
  return (
    <>
      <button
        type="button"
        className="min-h-6 text-meta text-muted underline decoration-dotted underline-offset-2 hover:text-text"
        aria-label={t("{label}, {words}: change when it ends", { label, words })}
        onClick={() => setIsOpen(true)}
      >
        {words}
      </button>
      {isOpen ? (
        <RoleEndDialog {...{ label, end, onEnd }} onClose={() => setIsOpen(false)} />
      ) : null}
    </>
  );
}
