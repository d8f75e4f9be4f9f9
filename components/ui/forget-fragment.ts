/** Removes the fragment from the address, so that its secret is neither in the history nor in a copied address. */
export function forgetFragment(): void {
  const { pathname } = window.location;
  // The router ignores a change that carries its own state, so this one cleans the address without a delay.
  window.history.replaceState(window.history.state, "", pathname);
  // The router would write the address that it knows back with its next change. It reads this second one, which it receives once its
  // listener is installed: on the first page that is after the effects of the components.
  queueMicrotask(() => window.history.replaceState(null, "", pathname));
}
