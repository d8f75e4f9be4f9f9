import { headers } from "next/headers";
import type { Preferences } from "@/lib/protocol/documents/preferences";

/** Sets the theme as next-themes does once the browser has stored the choice. */
const script = (theme: string) => `(theme => {
  try { localStorage.setItem("theme", theme) } catch {}
  const shown = theme !== "system" ? theme : matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  document.documentElement.dataset.theme = shown;
  document.documentElement.style.colorScheme = shown;
})(${JSON.stringify(theme)})`;

/** Applies the chosen theme before the first paint, even in a browser that has not stored it yet. */
export async function ChosenTheme({ theme }: { theme: Preferences["theme"] }) {
  const nonce = (await headers()).get("x-gatehouse-nonce") ?? undefined;
  return theme === undefined ? null : <script nonce={nonce}>{script(theme)}</script>;
}
