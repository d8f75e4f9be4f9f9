import { TriangleAlert } from "lucide-react";
import { t, translated } from "@/components/texts/t";
import { counted } from "./preview-state";
import type { PlacedProblem } from "./problems";

interface ProblemListProps {
  problems: PlacedProblem[];
  onOpen: (problem: PlacedProblem) => void;
}

/** Every problem with a link to its line. */
export function ProblemList({ problems, onOpen }: ProblemListProps) {
  return (
    <section
      aria-label={t("Problems")}
      aria-live="polite"
      className="border-t border-border px-4 py-3"
    >
      <h2 className="text-body font-medium">
        {problems.length === 0 ? t("No problems") : counted(problems.length, "problem")}
      </h2>
      <ul className="mt-1 flex flex-col">
        {problems.slice(0, 20).map((problem) => (
          <li key={`${problem.pointer} ${problem.detail}`}>
            <button
              type="button"
              className="flex min-h-6 items-start gap-2 rounded-[3px] py-0.5 text-start hover:underline"
              onClick={() => onOpen(problem)}
            >
              <TriangleAlert
                aria-hidden="true"
                className={`mt-0.5 size-3.5 shrink-0 ${problem.isFatal ? "text-danger" : "text-warning"}`}
              />
              <span>
                <span className="figures text-muted">
                  {t("Line {line}:", { line: problem.line })}
                </span>{" "}
                {translated(problem.detail)}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
