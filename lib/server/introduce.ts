import { say } from "@/lib/protocol/log-destination";
import { publicUrl } from "@/lib/protocol/public-url";

/** Makes what an empty store needs, and tells whoever started the service where it is. */
export async function introduce(url: string): Promise<void> {
  const { firstRun } = await import("@/lib/setup/seed");
  const firstLines = await firstRun({ url: publicUrl() });
  say(`Gatehouse listens on ${url} and is reached at ${publicUrl()}`);
  for (const line of firstLines) say(line);
}
