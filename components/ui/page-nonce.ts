/** The nonce of this document, which style sheets added by a script need. Later responses have nonces of their own, which do not count here. */
export function pageNonce(): string {
  return document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce ?? "";
}
