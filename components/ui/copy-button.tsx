"use client";

import { useEffect, useState } from "react";
import { t } from "@/components/texts/t";
import { Button } from "./button";
import { CheckIcon, CopyIcon } from "./plain-icons";

interface CopyButtonProps {
  /** Read at the click, so that a secret need not be a prop for longer than it is shown. */
  text: string | (() => string);
  label: string;
  /** The text next to the icon. */
  words?: string;
  tone?: "primary" | "secondary" | "quiet";
  onCopied?: () => void;
  /** Whether it gets the focus when its dialog opens. */
  isFirst?: boolean;
}

export function CopyButton(props: CopyButtonProps) {
  const { text, label, words, tone = "quiet", onCopied, isFirst } = props;
  const [state, setState] = useState<"idle" | "copied" | "failed">("idle");
  useEffect(() => {
    if (state === "idle") return;
    const timer = setTimeout(() => setState("idle"), 2000);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async () => {
    const copied = await copyText(typeof text === "string" ? text : text());
    setState(copied ? "copied" : "failed");
    if (copied) onCopied?.();
  };
  const icon =
    state === "copied" ? <CheckIcon className="size-3.5" /> : <CopyIcon className="size-3.5" />;
  const shown =
    state === "failed"
      ? t("Select and copy it manually")
      : state === "copied"
        ? t("Copied")
        : words;
  return (
    <>
      <Button
        tone={tone}
        size={words ? "normal" : "small"}
        icon={icon}
        aria-label={words ? undefined : label}
        title={label}
        data-autofocus={isFirst}
        onClick={copy}
      >
        {shown}
      </Button>
      <span role="status" className="sr-only">
        {state === "copied" ? t("{label}: copied", { label }) : ""}
      </span>
    </>
  );
}

/** Returns false when the browser does not allow it, for example without HTTPS. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
