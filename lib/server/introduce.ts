import { adoptSecretKey } from "@/lib/access/sealed-keys";
import { currentSigningKey } from "@/lib/access/signing-keys";
import { openStore } from "@/lib/database/open";
import { patiently } from "@/lib/database/patience";
import { say } from "@/lib/protocol/log-destination";
import { publicUrl } from "@/lib/protocol/settings";

/** Opens and migrates the store, and reads or makes the keys that nothing works without. Waits a while for a store that is away. */
export async function prepareStore(): Promise<void> {
  await openStore();
  await patiently(adoptSecretKey);
  // Where there is none yet: data encrypted under the secret shows a changed one at the next start.
  await patiently(() => currentSigningKey("consumer"));
}

/** Makes what an empty store needs, and prints for the operator where it is. */
export async function introduce(url: string): Promise<void> {
  const { firstRun } = await import("@/lib/setup/seed");
  const firstLines = await firstRun({ url: publicUrl() });
  say(`Gatehouse listens on ${url} and is reached at ${publicUrl()}`);
  for (const line of firstLines) say(line);
}
