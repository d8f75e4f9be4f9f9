"use client";

import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import type { Limits } from "./key-rights";
import { type CallableOperation, isPreset, keyPresets } from "./key-rights";

interface PresetButtonsProps {
  callable: CallableOperation[];
  limits: Limits;
  onChange: (limits: Limits) => void;
}

/** Buttons that tick a common set of limits. */
export function PresetButtons({ callable, limits, onChange }: PresetButtonsProps) {
  const { view } = usePortal();
  const presets = keyPresets(callable, view.sites);
  if (presets.length < 2) return null;
  return (
    <fieldset>
      <legend className="mb-1.5 text-body font-medium">{t("Start from")}</legend>
      <div className="flex flex-wrap gap-1.5">
        {presets.map((preset) => (
          <Button
            key={preset.name}
            title={preset.hint}
            aria-pressed={isPreset(preset, limits)}
            className="aria-pressed:border-accent aria-pressed:bg-accent-bg aria-pressed:text-accent"
            onClick={() => onChange(preset.limits)}
          >
            {preset.name}
          </Button>
        ))}
      </div>
    </fieldset>
  );
}
