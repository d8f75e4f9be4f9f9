import type { usePortal } from "@/components/shell/portal";
import { type Message, msg, t } from "@/components/texts/t";
import { errorText } from "@/components/ui/error-notice";
import type { MenuGroup, MenuItem } from "@/components/ui/menu/item";
import { notify } from "@/components/ui/toast";
import type { SavedView } from "@/lib/features/views/contract";
import { chartPage } from "@/lib/features/views/values";
import type { Views } from "./current-view";
import type { ViewDialogKind } from "./view-dialogs";

type Portal = ReturnType<typeof usePortal>;
type Change = Partial<Pick<SavedView, "query" | "shared" | "default" | "home">>;

/** Whether the user may change the view itself; every user may make it the default. */
export const mayChange = ({ view }: Pick<Portal, "view">, { userId }: SavedView) =>
  userId === view.user.id || view.permissions.includes("tenant.manage");

const titleOf = (view: SavedView) =>
  view.default ? t("{name} (default)", { name: view.name }) : view.name;

function applyItems(title: string, shown: SavedView[], views: Views): MenuGroup[] {
  const items = shown.map((one) => ({
    key: one.id,
    label: titleOf(one),
    chosen: one.id === views.shown?.id,
    onSelect: () => views.apply(one),
  }));
  return items.length > 0 ? [{ key: title, title, items }] : [];
}

/** Changes a view, and shows the result. */
async function change(
  { call }: Portal,
  views: Views,
  { id, name }: SavedView,
  { body, done }: { body: Change; done: Message },
): Promise<void> {
  try {
    await call("PATCH /v1/views/{id}", { params: { id }, body });
    await views.reload();
    void notify(t(done, { name }));
  } catch (error) {
    void notify(t('View "{name}" was not changed. {reason}', { name, reason: errorText(error) }));
  }
}

/** The actions on the current view. */
function itemsOfShown(
  shown: SavedView,
  views: Views,
  portal: Portal,
  open: (kind: ViewDialogKind) => void,
): MenuItem[] {
  const set = (body: Change, done: Message) => () =>
    void change(portal, views, shown, { body, done });
  const asDefault = shown.default
    ? {
        label: t("Do not open by default"),
        onSelect: set({ default: false }, msg('View "{name}" is no default now')),
      }
    : {
        label: t("Make my default"),
        onSelect: set({ default: true }, msg('View "{name}" is your default')),
      };
  const share = shown.shared
    ? {
        label: t("Stop sharing"),
        onSelect: set({ shared: false }, msg('View "{name}" is yours alone')),
      }
    : {
        label: t("Share in the tenant"),
        onSelect: set({ shared: true }, msg('View "{name}" shared')),
      };
  const home = shown.home
    ? {
        label: t("Remove from Home"),
        onSelect: set({ home: false }, msg('View "{name}" removed from Home')),
      }
    : { label: t("Show on Home"), onSelect: set({ home: true }, msg('View "{name}" is on Home')) };
  const ofMaker: MenuItem[] = [
    ...(shown.page === chartPage ? [{ key: "home", ...home }] : []),
    { key: "share", ...share },
    { key: "rename", label: t("Rename view"), onSelect: () => open("rename") },
    { key: "delete", label: t("Delete view"), danger: true, onSelect: () => open("delete") },
  ];
  return [{ key: "default", ...asDefault }, ...(mayChange(portal, shown) ? ofMaker : [])];
}

/** The menu: views to apply, the actions on the current one, and saving. */
export function groupsOf(
  views: Views,
  portal: Portal,
  open: (kind: ViewDialogKind) => void,
): MenuGroup[] {
  const { shown, changed } = views;
  const own = views.views.filter(({ shared }) => !shared);
  const shared = views.views.filter((one) => one.shared);
  const body = { query: views.query };
  const save = { key: "save", label: t("Save as view"), onSelect: () => open("save") };
  const update = changed &&
    mayChange(portal, changed) && {
      key: "update",
      label: t('Save changes to "{name}"', { name: changed.name }),
      onSelect: () =>
        void change(portal, views, changed, { body, done: msg('View "{name}" saved') }),
    };
  return [
    ...applyItems(t("Your views"), own, views),
    ...applyItems(t("Shared in this tenant"), shared, views),
    ...(shown ? [{ key: "shown", items: itemsOfShown(shown, views, portal, open) }] : []),
    { key: "save", items: [...(update ? [update] : []), ...(shown ? [] : [save])] },
  ].filter(({ items }) => items.length > 0);
}
