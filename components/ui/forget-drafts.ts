/** Forgets everything that this tab kept for whoever was signed in. */
export function forgetAllDrafts(): void {
  try {
    for (const key of Object.keys(sessionStorage))
      if (key.startsWith("gatehouse.")) sessionStorage.removeItem(key);
  } catch {
    // A browser that keeps nothing has nothing to forget.
  }
}
