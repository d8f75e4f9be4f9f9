import { adoptSecretKey } from "@/lib/access/sealed";
import { currentSigningKey } from "@/lib/access/signing-keys";
import { isNodeAway } from "@/lib/database/failures";
import { globalStatements } from "@/lib/database/global";
import { openStore, read } from "@/lib/database/open";
import { patiently } from "@/lib/database/patience";
import { log } from "@/lib/protocol/log";
import { say } from "@/lib/protocol/log-destination";
import { publicUrl, setting } from "@/lib/protocol/settings";

/** The statement reads every node of a cluster, but a start needs none of them. */
async function passkeysOfOtherHosts(host: string) {
  try {
    return await read<{ host: string; passkeys: number }>(
      "passkeys-of-other-hosts",
      globalStatements.passkeysOfOtherHosts,
      [host],
    );
  } catch (error) {
    if (!isNodeAway(error)) throw error;
    log().warn({ err: error }, "not known whether there are passkeys of another host");
    return [];
  }
}

/** Browsers offer a passkey only at the host that it was created for: a start with another one ends them, and must be confirmed. */
async function checkPasskeyHost(): Promise<void> {
  const { hostname } = new URL(publicUrl());
  const [other] = await passkeysOfOtherHosts(hostname);
  if (!other || setting("PASSKEYS_OF_OTHER_HOST") === "end") return;
  throw new Error(
    `PUBLIC_URL has the host ${hostname}, and ${other.passkeys} passkeys were made for ${other.host}: they work at no other host. Set PUBLIC_URL back, or start with PASSKEYS_OF_OTHER_HOST=end: their owners then sign in with password and app or recovery code, or an administrator resets them, and they add new passkeys.`,
  );
}

/** Opens and migrates the store, and reads or creates the keys that everything needs. Waits a while for an unavailable store. */
export async function prepareStore(): Promise<void> {
  await openStore();
  await patiently(adoptSecretKey);
  await patiently(checkPasskeyHost);
  // Creates a first key: with it, the next start can detect a changed secret.
  await patiently(() => currentSigningKey("consumer"));
}

/** Creates the first data of an empty store, and prints the address for the operator. */
export async function introduce(url: string): Promise<void> {
  const { firstRun } = await import("@/lib/setup/seed");
  const firstLines = await firstRun({ url: publicUrl() });
  say(`Gatehouse listens on ${url} and is reached at ${publicUrl()}`);
  for (const line of firstLines) say(line);
}
