import { expect, type Locator } from "@playwright/test";

export const secret = /svk_[0-9A-Za-z]{49}/;

/** Reveals the masked secret in the dialog of a new key and reads it. */
export async function readSecret(dialog: Locator): Promise<string> {
  await dialog.getByRole("button", { name: "Show key" }).click();
  const shown = dialog.locator("pre");
  await expect(shown).toHaveText(secret);
  return secret.exec((await shown.textContent()) ?? "")?.[0] ?? "";
}
