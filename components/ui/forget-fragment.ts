/** Takes the fragment out of the address, so that no history and no copied address holds what is secret in it. */
export function forgetFragment(): void {
  const { pathname } = window.location;
  // With the state that Next has put there its router does not look: the address is clean at once.
  window.history.replaceState(window.history.state, "", pathname);
  // The router would write the address that it knows back with its next change. It learns of this one as soon as it listens, which on
  // the first page is after the effects of what is on it.
  queueMicrotask(() => window.history.replaceState(null, "", pathname));
}
