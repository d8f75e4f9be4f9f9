const yearSeconds = 31_536_000;

/** Stores a choice of this browser for a year in a cookie, which the server reads before it renders. It holds no secret. */
export function keepInCookie(name: string, value: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox and over plain HTTP
  document.cookie = `${name}=${value}; Path=/; Max-Age=${yearSeconds}; SameSite=Lax`;
}
