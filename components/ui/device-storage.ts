/*
 * What a browser keeps of somebody's work: until the tab is closed (sessionStorage), or for all tabs (localStorage). A sign-out in one tab
 * forgets it in all of them, and no tab keeps anything until its page is loaded again.
 */

/** Changes at each sign-out, which notifies the other tabs of this browser. */
const signOutKey = "gatehouse.signed-out";
const tabPrefix = "gatehouse.";
const previewPrefix = "gatehouse.preview.";

let hasSignedOut = false;

/** Keeps a text, or removes it. False where nothing is kept: the browser rejects, or somebody has signed out. */
function keep(storage: () => Storage, name: string, text: string | undefined): boolean {
  try {
    if (text === undefined) storage().removeItem(name);
    else if (!hasSignedOut) storage().setItem(name, text);
    return text !== undefined && !hasSignedOut;
  } catch {
    // A browser that keeps nothing: what was typed lives as long as the page.
    return false;
  }
}

/** Keeps a text until this tab is closed or somebody signs out; undefined removes it. Returns whether it is kept. */
export const keepInTab = (name: string, text: string | undefined): boolean =>
  keep(() => sessionStorage, tabPrefix + name, text);

/** Keeps edits of a preview for all tabs until somebody signs out; undefined removes them. Returns whether they are kept. */
export const keepPreview = (name: string, text: string | undefined): boolean =>
  keep(() => localStorage, previewPrefix + name, text);

function read(storage: () => Storage, name: string): unknown {
  try {
    return JSON.parse(storage().getItem(name) ?? "null");
  } catch {
    // A browser that keeps nothing, or something else under this name.
    return null;
  }
}

/** The JSON that this tab kept; null without any. */
export const readInTab = (name: string): unknown => read(() => sessionStorage, tabPrefix + name);

/** The JSON that is kept of a preview; null without any. */
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
    // A browser that keeps nothing has nothing to forget.
  }
}

/** Deletes everything that was kept for the person who was signed in, here and in the other tabs. */
export function forgetAllDrafts(): void {
  forgetHere();
  try {
    localStorage.setItem(signOutKey, String(Date.now()));
  } catch {
    // The other tabs learn of it from their next response.
  }
}

/** Forgets what this tab kept, and leaves for the sign-in page, when somebody signs out in another one. */
export function followSignOut(): () => void {
  const follow = ({ key, newValue }: StorageEvent) => {
    if (key !== signOutKey || newValue === null) return;
    forgetHere();
    window.location.assign("/sign-in");
  };
  window.addEventListener("storage", follow);
  return () => window.removeEventListener("storage", follow);
}
