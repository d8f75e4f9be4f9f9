/** Removes the fragment from the address, so that its secret is neither in the history nor in a copied address. */
export function forgetFragment(): void {
  const { pathname } = window.location;
  // With Next's own state in the entry its router ignores the change: the address is clean at once.
  window.history.replaceState(window.history.state, "", pathname);
  // The router would write the address that it knows back with its next change. It learns of this one as soon as it listens, which on
  // the first page is after the effects of what is on it.
  queueMicrotask(() => window.history.replaceState(null, "", pathname));
}
