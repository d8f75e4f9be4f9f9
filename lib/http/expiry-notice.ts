import type { Caller } from "@/lib/access/caller";

const noticeMilliseconds = 14 * 86_400_000;

/** From 14 days before its end on, every answer to an API key says when that is. */
export function expiryNotice({
  kind,
  expiresAt,
}: Pick<Caller, "kind" | "expiresAt">): Record<string, string> {
  const isNear = kind === "apiKey" && expiresAt.getTime() - Date.now() < noticeMilliseconds;
  return isNear ? { "X-Service-API-Key-Expires": expiresAt.toISOString() } : {};
}
