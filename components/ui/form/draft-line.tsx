import { t } from "@/components/texts/t";
import type { FormDraft } from "./form-draft";

/** Unfolds the folded part of the page that contains the draft. */
function unfold(line: HTMLElement | null): void {
  const folded = line?.closest("details");
  if (folded) folded.open = true;
}

/** A small note that input is kept as a draft, with a button to discard it. */
export function DraftLine({ draft }: { draft: Pick<FormDraft, "isKept" | "discard"> }) {
  if (!draft.isKept) return null;
  return (
    <span
      ref={unfold}
      className="me-auto inline-flex items-center gap-1 text-meta max-sm:basis-full text-muted"
    >
      {t("Draft kept")}
      <button
        type="button"
        onClick={draft.discard}
        className="inline-flex h-6 items-center rounded-control px-1.5 text-text underline decoration-border-strong underline-offset-4 hover:decoration-text"
      >
        {t("Discard")}
      </button>
    </span>
  );
}
