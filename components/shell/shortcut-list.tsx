"use client";

import { Dialog } from "@/components/ui/dialog";
import { Kbd } from "@/components/ui/kbd";
import { ScrollRegion } from "@/components/ui/scroll-region";
import { openOverlay } from "./overlay";
import { usePortal } from "./portal";

const ofMetrics: [string, string[]][] = [
  ["Show metrics as charts or as tables", ["t"]],
  ["Undo a zoom of the metrics", ["Esc"]],
];

export function ShortcutList() {
  const { view } = usePortal();
  const rows: [string, string[]][] = [
    ["Search or run a command", ["Ctrl", "K"]],
    ["Show this list", ["?"]],
    ["Collapse or expand the menu", ["["]],
    ["Search the table", ["/"]],
    ["Next or previous row", ["j", "k"]],
    ["Open the focused row", ["Enter"]],
    ["Peek at the focused row", ["p"]],
    ...(view.navigation.some(({ key }) => key === "metrics") ? ofMetrics : []),
    ...view.navigation.map((entry): [string, string[]] => [
      `Go to ${entry.label}`,
      ["g", entry.letter],
    ]),
  ];
  return (
    <Dialog open onOpenChange={() => openOverlay(undefined)} title="Shortcuts">
      <ScrollRegion aria-label="List of shortcuts" className="max-h-[60vh] overflow-y-auto pr-2">
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
