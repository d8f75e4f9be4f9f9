import { perProcess } from "@/lib/protocol/per-process";
import { exposition } from "./measures";

const others = perProcess("measures-of-all", (): { ask?: () => Promise<string[]> } => ({}));

/** From now on a scrape is answered with what every process behind the port has measured, as `ask` brings it. */
export function measureWith(ask: () => Promise<string[]>): void {
  others().ask = ask;
}

/** Several expositions as one: each metric with its description once, and the samples of all. */
export function mergeExpositions(texts: readonly string[]): string {
  const metrics = new Map<string, { head: string[]; samples: string[] }>();
  for (const block of texts.flatMap((text) => text.split(/^(?=# HELP )/m))) {
    const lines = block.split("\n").filter(Boolean);
    const head = lines.filter((line) => line.startsWith("# "));
    const metric = metrics.get(head[0] ?? "") ?? { head, samples: [] };
    for (const line of lines) if (!line.startsWith("# ")) metric.samples.push(line);
    metrics.set(head[0] ?? "", metric);
  }
  return [...metrics.values()]
    .map(({ head, samples }) => `${[...head, ...samples].join("\n")}\n`)
    .join("\n");
}

/** What is measured here, or with several processes behind the port by all of them: the label `worker` distinguishes them. */
export async function expositionOfAll(): Promise<{ contentType: string; text: string }> {
  const { ask } = others();
  const own = await exposition();
  return ask ? { ...own, text: mergeExpositions(await ask()) } : own;
}
