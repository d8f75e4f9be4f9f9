import type { usePortal } from "@/components/shell/portal";
import type { MenuGroup, MenuItem } from "@/components/ui/menu";
import { notify } from "@/components/ui/toast";
import type { SavedView } from "@/lib/features/views/contract";
import { chartPage } from "@/lib/features/views/values";
import type { Views } from "./current-view";
import type { ViewDialogKind } from "./view-dialogs";

type Portal = ReturnType<typeof usePortal>;
type Change = Partial<Pick<SavedView, "query" | "shared" | "default" | "home">>;

/** Whether the person may change what a view is, beside making it the own default. */
export const mayChange = ({ view }: Pick<Portal, "view">, { userId }: SavedView) =>
  userId === view.user.id || view.permissions.includes("tenant.manage");

const titleOf = (view: SavedView) => (view.default ? `${view.name} (default)` : view.name);

function applyItems(title: string, shown: SavedView[], views: Views): MenuGroup[] {
  const items = shown.map((one) => ({
    key: one.id,
    label: titleOf(one),
    chosen: one.id === views.shown?.id,
    onSelect: () => views.apply(one),
  }));
  return items.length > 0 ? [{ key: title, title, items }] : [];
}

/** Changes a view, and says what became of it. */
async function change(
  { call }: Portal,
  views: Views,
  { id, name }: SavedView,
  { body, done }: { body: Change; done: string },
): Promise<void> {
  try {
    await call("PATCH /v1/views/{id}", { params: { id }, body });
    await views.reload();
    void notify(`View "${name}" ${done}`);
  } catch (error) {
    void notify(`View "${name}" was not changed. ${error instanceof Error ? error.message : ""}`);
  }
}

/** What can be done with the view that is on screen. */
function itemsOfShown(
  shown: SavedView,
  views: Views,
  portal: Portal,
  open: (kind: ViewDialogKind) => void,
): MenuItem[] {
  const set = (body: Change, done: string) => () =>
    void change(portal, views, shown, { body, done });
  const asDefault = shown.default
    ? { label: "Do not open by default", onSelect: set({ default: false }, "is no default now") }
    : { label: "Make my default", onSelect: set({ default: true }, "is your default") };
  const share = shown.shared
    ? { label: "Stop sharing", onSelect: set({ shared: false }, "is yours alone") }
    : { label: "Share in the tenant", onSelect: set({ shared: true }, "shared") };
  const home = shown.home
    ? { label: "Remove from Home", onSelect: set({ home: false }, "removed from Home") }
    : { label: "Show on Home", onSelect: set({ home: true }, "is on Home") };
  const ofMaker: MenuItem[] = [
    ...(shown.page === chartPage ? [{ key: "home", ...home }] : []),
    { key: "share", ...share },
    { key: "rename", label: "Rename view", onSelect: () => open("rename") },
    { key: "delete", label: "Delete view", danger: true, onSelect: () => open("delete") },
  ];
  return [{ key: "default", ...asDefault }, ...(mayChange(portal, shown) ? ofMaker : [])];
}

/** The menu: views to apply, what can be done with the one on screen, and saving. */
export function groupsOf(
  views: Views,
  portal: Portal,
  open: (kind: ViewDialogKind) => void,
): MenuGroup[] {
  const { shown, changed } = views;
  const own = views.views.filter(({ shared }) => !shared);
  const shared = views.views.filter((one) => one.shared);
  const body = { query: views.query };
  const save = { key: "save", label: "Save as view", onSelect: () => open("save") };
  const update = changed &&
    mayChange(portal, changed) && {
      key: "update",
      label: `Save changes to "${changed.name}"`,
      onSelect: () => void change(portal, views, changed, { body, done: "saved" }),
    };
  return [
    ...applyItems("Your views", own, views),
    ...applyItems("Shared in this tenant", shared, views),
    ...(shown ? [{ key: "shown", items: itemsOfShown(shown, views, portal, open) }] : []),
    { key: "save", items: [...(update ? [update] : []), ...(shown ? [] : [save])] },
  ].filter(({ items }) => items.length > 0);
}
