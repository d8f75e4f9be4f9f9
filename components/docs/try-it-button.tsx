"use client";

import { type ReactNode, useState } from "react";
import { Button } from "@/components/ui/button";
import type { TriedOperation } from "./try-request";

/** Opens the form that sends a request. Loaded when it is opened: most readers only read. */
export function TryItButton({ operation }: { operation: TriedOperation }) {
  const [form, setForm] = useState<ReactNode>();
  const [state, setState] = useState<"closed" | "loading" | "failed">("closed");
  const open = async () => {
    setState("loading");
    try {
      const { TryIt } = await import("./try-it");
      setForm(<TryIt operation={operation} />);
    } catch {
      setState("failed");
    }
  };
  if (form) return form;
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button busy={state === "loading"} onClick={open}>
        Try it
      </Button>
      <p role="status" className="text-meta text-muted">
        {state === "failed" ? "It could not be loaded. Try again." : ""}
      </p>
    </div>
  );
}
