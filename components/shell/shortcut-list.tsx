"use client";

import { t } from "@/components/texts/t";
import { Dialog } from "@/components/ui/dialog";
import { Kbd } from "@/components/ui/kbd";
import { ScrollRegion } from "@/components/ui/scroll-region";
import { openOverlay } from "./overlay";
import { usePortal } from "./portal";

const ofMetrics = (): [string, string[]][] => [
  [t("Show metrics as charts or as tables"), ["t"]],
  [t("Undo a zoom of the metrics"), ["Esc"]],
];

export function ShortcutList() {
  const { view } = usePortal();
  const rows: [string, string[]][] = [
    [t("Search or run a command"), ["Ctrl", "K"]],
    [t("Show this list"), ["?"]],
    [t("Collapse or expand the menu"), ["["]],
    [t("Search the table"), ["/"]],
    [t("Next or previous row"), ["j", "k"]],
    [t("Open the focused row"), ["Enter"]],
    [t("Peek at the focused row"), ["p"]],
    [t("Undo, or what else the newest message offers"), ["z"]],
    ...(view.navigation.some(({ key }) => key === "metrics") ? ofMetrics() : []),
    ...view.navigation.map((entry): [string, string[]] => [
      t("Go to {label}", { label: entry.label }),
      ["g", entry.letter],
    ]),
  ];
  return (
    <Dialog open onOpenChange={() => openOverlay(undefined)} title={t("Shortcuts")}>
      <ScrollRegion
        aria-label={t("List of shortcuts")}
        className="max-h-[60vh] overflow-y-auto pe-2"
      >
        <dl className="flex flex-col">
          {rows.map(([words, keys]) => (
            <div
              key={words}
              className="flex h-9 items-center justify-between border-b border-border last:border-b-0"
            >
              <dt>{words}</dt>
              <dd className="flex gap-1">
                {keys.map((key) => (
                  <Kbd key={key}>{key}</Kbd>
                ))}
              </dd>
            </div>
          ))}
        </dl>
      </ScrollRegion>
    </Dialog>
  );
}
