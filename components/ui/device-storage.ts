/*
 * Stores a user's unsaved work: until the tab is closed (sessionStorage), or for all tabs
 * (localStorage). A sign-out in one tab deletes it in all tabs, and no tab stores anything until its page is reloaded.
 */

/** Changes at each sign-out, which notifies the other tabs of this browser. */
const signOutKey = "gatehouse.signed-out";
const tabPrefix = "gatehouse.";
const previewPrefix = "gatehouse.preview.";

let hasSignedOut = false;

/** Stores a text, or removes it. False when nothing is stored: the browser blocks it, or the user has signed out. */
function keep(storage: () => Storage, name: string, text: string | undefined): boolean {
  try {
    if (text === undefined) storage().removeItem(name);
    else if (!hasSignedOut) storage().setItem(name, text);
    return text !== undefined && !hasSignedOut;
  } catch {
    // The browser blocks storage: input is lost with the page.
    return false;
  }
}

/** Stores a text until this tab is closed or the user signs out; undefined removes it. Returns whether it is stored. */
export const keepInTab = (name: string, text: string | undefined): boolean =>
  keep(() => sessionStorage, tabPrefix + name, text);

/** Stores edits of a preview for all tabs until the user signs out; undefined removes them. Returns whether they are stored. */
export const keepPreview = (name: string, text: string | undefined): boolean =>
  keep(() => localStorage, previewPrefix + name, text);

function read(storage: () => Storage, name: string): unknown {
  try {
    return JSON.parse(storage().getItem(name) ?? "null");
  } catch {
    // The browser blocks storage, or the stored text is not JSON.
    return null;
  }
}

/** The JSON stored in this tab; null without any. */
export const readInTab = (name: string): unknown => read(() => sessionStorage, tabPrefix + name);

/** The stored JSON of a preview; null without any. */
export const readPreview = (name: string): unknown =>
  read(() => localStorage, previewPrefix + name);

function removeFrom(storage: Storage, prefix: string): void {
  for (const key of Object.keys(storage)) if (key.startsWith(prefix)) storage.removeItem(key);
}

function forgetHere(): void {
  hasSignedOut = true;
  try {
    removeFrom(sessionStorage, tabPrefix);
    removeFrom(localStorage, previewPrefix);
  } catch {
    // The browser blocks storage, so there is nothing to delete.
  }
}

/** Deletes everything stored for the signed-in user, here and in the other tabs. */
export function forgetAllDrafts(): void {
  forgetHere();
  try {
    localStorage.setItem(signOutKey, String(Date.now()));
  } catch {
    // The other tabs notice the sign-out with their next response.
  }
}

/** Deletes this tab's data and opens the sign-in page when the user signs out in another tab. */
export function followSignOut(): () => void {
  const follow = ({ key, newValue }: StorageEvent) => {
    if (key !== signOutKey || newValue === null) return;
    forgetHere();
    window.location.assign("/sign-in");
  };
  window.addEventListener("storage", follow);
  return () => window.removeEventListener("storage", follow);
}
