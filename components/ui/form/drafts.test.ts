import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  changedValues,
  draftKey,
  forgetDraft,
  isKeepable,
  keepDraft,
  readDraft,
} from "./form-draft";

/** A storage whose entries are own properties, as in a browser. */
function storage(): Record<string, unknown> {
  const methods = {
    getItem: (key: string) => (Object.hasOwn(kept, key) ? kept[key] : null),
    setItem: (key: string, value: string) => {
      kept[key] = value;
    },
    removeItem: (key: string) => {
      delete kept[key];
    },
  };
  const kept: Record<string, unknown> = Object.create(methods);
  return kept;
}

beforeEach(() => vi.stubGlobal("sessionStorage", storage()));

const key = draftKey("acme/user_1", "invite");

test("stored input can be read until it is deleted", () => {
  expect(keepDraft(key, { name: "Jo" })).toBe(true);
  expect(readDraft(key)).toEqual({ name: "Jo" });
  forgetDraft(key);
  expect(readDraft(key)).toBeUndefined();
});

test("another user, tenant or form does not see it", () => {
  keepDraft(key, { name: "Jo" });
  expect(readDraft(draftKey("acme/user_2", "invite"))).toBeUndefined();
  expect(readDraft(draftKey("other/user_1", "invite"))).toBeUndefined();
  expect(readDraft(draftKey("acme/user_1", "lock"))).toBeUndefined();
});

test("an unchanged form stores no draft", () => {
  keepDraft(key, { name: "Jo" });
  expect(keepDraft(key, changedValues({ name: "" }, { name: "" }))).toBe(false);
  expect(readDraft(key)).toBeUndefined();
});

test("only changed fields are stored", () => {
  const initial = { name: "Acme", locales: "de", isOn: "true" };
  const current = { name: "Acme", locales: "", isOn: "false", added: "x" };
  expect(changedValues(initial, current)).toEqual({ locales: "", isOn: "false", added: "x" });
});

test("other data under the name is not a draft", () => {
  sessionStorage.setItem(key, "[1,2]");
  expect(readDraft(key)).toBeUndefined();
  sessionStorage.setItem(key, "{");
  expect(readDraft(key)).toBeUndefined();
});

test("a draft of more than 64 KiB is not kept", () => {
  expect(keepDraft(key, { text: "x".repeat(65_537) })).toBe(false);
  expect(readDraft(key)).toBeUndefined();
});

describe("after a sign-out", () => {
  const edits = { base: { text: "{}", etag: '"1"' }, text: '{"a":1}' };
  /** A freshly loaded page, with a window that receives events of other tabs. */
  async function load() {
    vi.resetModules();
    const page = Object.assign(new EventTarget(), { location: { assign: vi.fn() } });
    vi.stubGlobal("window", page);
    const [device, drafts, preview] = await Promise.all([
      import("@/components/ui/device-storage"),
      import("./form-draft"),
      import("@/components/previews/draft"),
    ]);
    return { page, ...device, drafts, preview };
  }
  beforeEach(() => vi.stubGlobal("localStorage", storage()));
  afterEach(() => vi.unstubAllGlobals());

  test("no draft of a form or preview is left in this tab, and preferences are", async () => {
    const { drafts, preview, keepInTab, forgetAllDrafts } = await load();
    drafts.keepDraft(key, { name: "Jo" });
    preview.keepDraft("acme/user_1/eu/home", edits);
    keepInTab("new-key.acme/user_1/user_1", "{}");
    sessionStorage.setItem("other", "stays");
    localStorage.setItem("gatehouse.density", "compact");
    forgetAllDrafts();
    expect(Object.keys(sessionStorage)).toEqual(["other"]);
    expect(Object.keys(localStorage).sort()).toEqual(["gatehouse.density", "gatehouse.signed-out"]);
  });

  test("nothing is kept until the page is loaded again", async () => {
    const { drafts, preview, forgetAllDrafts } = await load();
    forgetAllDrafts();
    expect(drafts.keepDraft(key, { name: "Jo" })).toBe(false);
    expect(preview.keepDraft("acme/user_1/eu/home", edits)).toBe(false);
    expect(drafts.readDraft(key)).toBeUndefined();
    const next = await load();
    expect(next.preview.keepDraft("acme/user_1/eu/home", edits)).toBe(true);
  });

  test("the other tabs delete theirs and open the sign-in page", async () => {
    const { page, drafts, followSignOut } = await load();
    const stop = followSignOut();
    drafts.keepDraft(key, { name: "Jo" });
    const changed = (key: string) =>
      page.dispatchEvent(Object.assign(new Event("storage"), { key, newValue: "1" }));
    changed("gatehouse.density");
    expect(drafts.readDraft(key)).toEqual({ name: "Jo" });
    changed("gatehouse.signed-out");
    expect(Object.keys(sessionStorage)).toEqual([]);
    expect(drafts.keepDraft(key, { name: "Jo" })).toBe(false);
    expect(page.location.assign).toHaveBeenCalledExactlyOnceWith("/sign-in");
    stop();
    changed("gatehouse.signed-out");
    expect(page.location.assign).toHaveBeenCalledOnce();
  });
});

test.each([
  ["a line of text", { name: "reason", type: "text" }, true],
  ["a choice", { name: "role", type: "select-one" }, true],
  ["a password", { name: "secret", type: "password" }, false],
  [
    "a password that is shown",
    { name: "password", type: "text", autocomplete: "new-password" },
    false,
  ],
  ["a file", { name: "image", type: "file" }, false],
  ["a confirmation without a name", { name: "", type: "text" }, false],
])("%s is kept or not", (_, field, expected) => {
  expect(isKeepable(field)).toBe(expected);
});
