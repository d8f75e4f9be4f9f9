import type { Preferences } from "@/lib/users/preferences-contract";

/** What next-themes would do, had this browser seen the choice before. */
const script = (theme: string) => `(theme => {
  try { localStorage.setItem("theme", theme) } catch {}
  const shown = theme !== "system" ? theme : matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  document.documentElement.dataset.theme = shown;
  document.documentElement.style.colorScheme = shown;
})(${JSON.stringify(theme)})`;

/** Shows the chosen theme before the first paint, also in a browser that does not know of it yet. */
export function ChosenTheme({ theme }: { theme: Preferences["theme"] }) {
  return theme === undefined ? null : <script>{script(theme)}</script>;
}
