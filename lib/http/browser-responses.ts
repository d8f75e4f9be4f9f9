import { publicUrl } from "@/lib/protocol/settings";

/** Responses to a browser on its way through a sign-in: none may be kept, and each may set cookies. */
function headersWith(headers: Record<string, string>, cookies: readonly string[]): Headers {
  const all = new Headers({ "Cache-Control": "no-store", ...headers });
  for (const cookie of cookies) all.append("Set-Cookie", cookie);
  return all;
}

export const jsonResponse = (value: object, cookies: readonly string[] = []): Response =>
  new Response(JSON.stringify(value), {
    headers: headersWith({ "Content-Type": "application/json" }, cookies),
  });

/** To a page of this service. */
export const redirectResponse = (path: string, cookies: readonly string[] = []): Response =>
  new Response(null, {
    status: 302,
    headers: headersWith({ Location: `${publicUrl()}${path}` }, cookies),
  });
