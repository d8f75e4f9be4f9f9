import { keepInCookie } from "@/components/ui/kept-cookie";

/** The cookie with this browser's column settings of tables. The server reads it, so that the first paint uses them. */
export const columnsCookie = "gatehouse-columns";

/** The maximum length, since every request sends the cookie; the oldest settings are removed first. */
const longest = 1500;

const listeners = new Set<() => void>();
let now: string | undefined;

function readCookie(): string {
  const found = document.cookie.split("; ").find((one) => one.startsWith(`${columnsCookie}=`));
  try {
    return decodeURIComponent(found?.slice(columnsCookie.length + 1) ?? "");
  } catch {
    return "";
  }
}

/** The cookie as it is now, one parameter for each choice: `users.hide=login&keys.widths=6-1.220`. */
export const keptColumns = {
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  },
  text: () => {
    now ??= readCookie();
    return now;
  },
  /** Stores choices by name; "" removes one. */
  keep: (choices: Readonly<Record<string, string>>) => {
    const all = new URLSearchParams(keptColumns.text());
    for (const [name, value] of Object.entries(choices)) {
      all.delete(name);
      if (value) all.append(name, value);
    }
    while (all.toString().length > longest) all.delete([...all.keys()][0] ?? "");
    now = decodeURIComponent(all.toString());
    keepInCookie(columnsCookie, all.toString());
    for (const listener of listeners) listener();
  },
};
