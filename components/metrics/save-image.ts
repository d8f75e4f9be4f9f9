import { chartImage } from "@/components/ui/chart/image";
import { drawAll } from "@/components/ui/chart/turns";
import { downloadFile } from "@/components/ui/download-text";
import type { Figure } from "./figures";

/** Saves the charts on the page as one PNG. */
export async function saveImage(heading: string, figures: Figure[], name: string): Promise<void> {
  // Only the texts that recharts has drawn are part of the picture.
  await drawAll();
  const charts = figures.flatMap(({ title, label, series, background }) => {
    const svg = document.querySelector<SVGSVGElement>(
      `[role=img][aria-label="${label}"] .recharts-surface`,
    );
    return svg ? [{ title, svg, legend: [...series, ...background] }] : [];
  });
  downloadFile(await chartImage(heading, charts), name);
}
