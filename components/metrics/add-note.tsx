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
  /** On the button: of a point "Add note here". */
  label: string;
}

/** Opens the form of a note, for those who may mark the charts. */
export function AddNote({ label, ...time }: AddNoteProps) {
  const mayMark = useMayMark();
  const [isOpen, setIsOpen] = useState(false);
  if (!mayMark) return null;
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
