import { setting } from "@/lib/protocol/settings";
/** Where people and programs reach the product: for links, token issuers, cookies and the Origin check. Without a trailing slash. */
export function publicUrl(): string {
  return setting("PUBLIC_URL") ?? `http://localhost:${setting("PORT")}`;
}
