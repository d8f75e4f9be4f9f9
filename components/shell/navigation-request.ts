/** Whether the router of Next asks for a page that somebody opens, and does not fetch ahead. */
export function isNavigation(init: RequestInit | undefined): boolean {
  const headers = new Headers(init?.headers);
  return headers.has("rsc") && ![...headers.keys()].some((name) => name.endsWith("-prefetch"));
}
