/** The nonce of this document, which style sheets added by a script need. Later responses have other nonces, which are not valid here. */
export function pageNonce(): string {
  return document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce ?? "";
}
