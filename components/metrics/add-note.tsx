"use client";

import { Suspense, useState } from "react";
import { Button } from "@/components/ui/button";
import { lazyPart } from "@/components/ui/lazy-part";
import { useMayMark } from "./metrics-query";
import type { NotedTime } from "./note-dialog";

const NoteDialog = lazyPart(() => import("./note-dialog").then((module) => module.NoteDialog), {
  isRare: true,
});

interface AddNoteProps extends NotedTime {
  /** The label of the button; "Add note here" for a point. */
  label: string;
  /** Sample traffic has no notes. */
  isSample?: boolean;
}

/** Opens the form of a note, for users who may mark the charts. */
export function AddNote({ label, isSample = false, ...time }: AddNoteProps) {
  const mayMark = useMayMark();
  const [isOpen, setIsOpen] = useState(false);
  if (!mayMark || isSample) return null;
  return (
    <>
      <Button
        size="small"
        tone="quiet"
        onPointerEnter={NoteDialog.preload}
        onFocus={NoteDialog.preload}
        onClick={() => setIsOpen(true)}
      >
        {label}
      </Button>
      <Suspense>
        {isOpen ? <NoteDialog {...time} onClose={() => setIsOpen(false)} /> : null}
      </Suspense>
    </>
  );
}
