import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { publicUrl } from "@/lib/protocol/public-url";
import { setHeader } from "./headers";

const isDev = process.env.NODE_ENV === "development";

/** Scripts are ours, or stand in the page with the nonce of this one answer. */
function policyWith(nonce: string): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}'${isDev ? " 'unsafe-eval'" : ""}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    `connect-src 'self'${isDev ? " ws:" : ""}`,
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    // Previews show a tenant's own storefront, in a sandbox.
    "frame-src 'self' https: http://localhost:* http://*.localhost:* http://127.0.0.1:*",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** Tells the browser what a page may do, and the page's renderer the nonce: Next finds it in the policy, our own scripts by its name. */
export function guardPage(req: IncomingMessage, res: ServerResponse): void {
  const nonce = randomBytes(16).toString("base64");
  const policy = policyWith(nonce);
  setHeader(req, "content-security-policy", policy);
  setHeader(req, "x-gatehouse-nonce", nonce);
  res.setHeader("Content-Security-Policy", policy);
  if (publicUrl().startsWith("https://"))
    res.setHeader("Strict-Transport-Security", "max-age=31536000");
}
