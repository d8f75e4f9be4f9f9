import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { publicUrl } from "@/lib/protocol/settings";
import { setHeader } from "./headers";

const isDev = process.env.NODE_ENV === "development";

/** The style sheet that the package sonner adds without a nonce. A test compares it with the installed package. */
export const sonnerStyleHash = "sha256-StEaX+se6YS7pqjzrzMIA0KaX9zF/8zAhvQXZAe5epY=";

/** The hash of an empty text: sonner adds its style element to the page before it fills it. */
const emptyStyleHash = "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";

const localHost = /^https?:\/\/(?:localhost|[^/:]+\.localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;

/** Previews show a tenant's own storefront, in a sandbox: one on this machine only where the product itself is. */
function frameSources(): string {
  const isLocal = isDev || localHost.test(publicUrl());
  return `'self' https:${isLocal ? " http://localhost:* http://*.localhost:* http://127.0.0.1:*" : ""}`;
}

/** Development adds style sheets without a nonce, and scripts that evaluate text. */
function policyWith(nonce: string): string {
  const styles = isDev
    ? "'unsafe-inline'"
    : `'nonce-${nonce}' '${sonnerStyleHash}' '${emptyStyleHash}'`;
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}'${isDev ? " 'unsafe-eval'" : ""}`,
    `style-src 'self' ${styles}`,
    // Widths of bars and positions of rows are style attributes, which can do no harm but look wrong.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    `connect-src 'self'${isDev ? " ws:" : ""}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-src ${frameSources()}`,
    "frame-ancestors 'none'",
  ].join("; ");
}

/** Sends the browser the page's policy, and the page's renderer the nonce: Next finds it in the policy, our own scripts by its name. */
export function guardPage(req: IncomingMessage, res: ServerResponse): void {
  const nonce = randomBytes(16).toString("base64");
  const policy = policyWith(nonce);
  setHeader(req, "content-security-policy", policy);
  setHeader(req, "x-gatehouse-nonce", nonce);
  res.setHeader("Content-Security-Policy", policy);
}
