/** Whether a request of the Next router is a navigation and not a prefetch. */
export function isNavigation(init: RequestInit | undefined): boolean {
  const headers = new Headers(init?.headers);
  return headers.has("rsc") && ![...headers.keys()].some((name) => name.endsWith("-prefetch"));
}
