"use client";

import { Search } from "lucide-react";
import { useRouter } from "next/navigation";
import { Popover } from "radix-ui";
import {
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useState,
} from "react";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { classNames } from "@/components/ui/class-names";
import { Input } from "@/components/ui/form/field";
import {
  type MenuGroup,
  type MenuItem,
  MenuItemContent,
  menuItemLook,
  menuLook,
  menuTitleLook,
} from "./item";

const textOf = ({ key, label }: MenuItem) =>
  `${typeof label === "string" ? label : ""} ${key}`.toLowerCase();

/** The entries whose label or key contains every typed word, in their groups; empty groups are left out. */
export function matchingGroups(groups: readonly MenuGroup[], typed: string): MenuGroup[] {
  const words = typed.toLowerCase().split(/\s+/);
  return groups
    .map((group) => ({
      ...group,
      items: group.items.filter((item) => words.every((word) => textOf(item).includes(word))),
    }))
    .filter(({ items }) => items.length > 0);
}

const groupLook = "not-first:mt-1 not-first:border-t not-first:border-border not-first:pt-1";

interface MenuSearchProps {
  groups: MenuGroup[];
  align: "start" | "end";
  button: ComponentProps<typeof Button>;
  /** The label of the field. */
  label: string;
}

/** An opened menu with many entries: a field that keeps the focus, and the list of matches. */
export function MenuSearch({ groups, align, button, label }: MenuSearchProps) {
  const [open, setOpen] = useState(true);
  const router = useRouter();
  const choose = ({ href, leadsOn, onSelect }: MenuItem) => {
    setOpen(false);
    if (href && leadsOn) window.location.assign(href);
    else if (href) router.push(href);
    else onSelect?.();
  };
  // Like the button of a menu.
  const openByArrow = (event: KeyboardEvent) => {
    if (event.key !== "ArrowDown" || open) return;
    event.preventDefault();
    setOpen(true);
  };
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger asChild>
        <Button {...button} onKeyDown={openByArrow} />
      </Popover.Trigger>
      <Popover.Portal container={document.querySelector("main") ?? document.body}>
        <Popover.Content
          aria-label={label}
          align={align}
          sideOffset={6}
          collisionPadding={12}
          className={`${menuLook} flex max-h-[min(28rem,var(--radix-popover-content-available-height))] w-72 flex-col`}
        >
          <SearchedList groups={groups} label={label} onChoose={choose} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

interface SearchedListProps extends Pick<MenuSearchProps, "groups" | "label"> {
  onChoose: (item: MenuItem) => void;
}

/** The entry that Enter chooses: initially the one that is on, and after each letter the first match. */
function useActive(items: MenuItem[]) {
  const [at, setAt] = useState(() =>
    Math.max(
      0,
      items.findIndex(({ chosen }) => chosen),
    ),
  );
  const steps: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1 };
  const move = (event: KeyboardEvent) => {
    const to = steps[event.key];
    if (to === undefined || items.length === 0) return;
    event.preventDefault();
    setAt((to + items.length) % items.length);
  };
  return { active: items[at], move, setAt };
}

function SearchedList({ groups, label, onChoose }: SearchedListProps) {
  const id = useId();
  const [typed, setTyped] = useState("");
  const shown = matchingGroups(groups, typed);
  const items = shown.flatMap((group) => group.items);
  const { active, move, setAt } = useActive(items);
  const idOf = (item: MenuItem) => `${id}-${item.key}`;
  const activeId = active && idOf(active);
  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: "nearest" });
  }, [activeId]);
  const search = (text: string) => {
    setTyped(text);
    setAt(0);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    move(event);
    if (event.key !== "Enter" || event.nativeEvent.isComposing || !active) return;
    event.preventDefault();
    onChoose(active);
  };
  const list = items.length > 0 ? { id, activeId } : undefined;
  return (
    <>
      <SearchField {...{ label, typed, list, onKeyDown }} onType={search} />
      <p role="status" className="shrink-0 px-2 text-body text-muted not-empty:py-2">
        {list ? null : t("No entry matches")}
      </p>
      {list ? (
        <div id={id} role="listbox" aria-label={label} className="min-h-0 overflow-y-auto">
          {shown.map((group) => (
            <Group key={group.key} group={group} id={`${id}-in-${group.key}`}>
              {group.items.map((item) => (
                <Option
                  key={item.key}
                  id={idOf(item)}
                  item={item}
                  isActive={item === active}
                  onPoint={() => setAt(items.indexOf(item))}
                  onChoose={() => onChoose(item)}
                />
              ))}
            </Group>
          ))}
        </div>
      ) : null}
    </>
  );
}

interface SearchFieldProps {
  label: string;
  typed: string;
  onType: (text: string) => void;
  onKeyDown: (event: KeyboardEvent) => void;
  /** The list below, if anything matches. */
  list: { id: string; activeId: string | undefined } | undefined;
}

function SearchField({ label, typed, onType, onKeyDown, list }: SearchFieldProps) {
  return (
    <div className="relative m-1 shrink-0">
      <Search
        aria-hidden="true"
        className="pointer-events-none absolute start-2.5 top-2 size-4 text-muted"
      />
      <Input
        role="combobox"
        aria-label={label}
        aria-autocomplete="list"
        aria-expanded={list !== undefined}
        aria-controls={list?.id}
        aria-activedescendant={list?.activeId}
        autoComplete="off"
        spellCheck={false}
        placeholder={label}
        className="ps-8"
        value={typed}
        onChange={(event) => onType(event.target.value)}
        onKeyDown={onKeyDown}
      />
    </div>
  );
}

function Group({ group, id, children }: { group: MenuGroup; id: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is not part of a list of options
    <div role="group" aria-labelledby={group.title ? id : undefined} className={groupLook}>
      {group.title ? (
        <div id={id} className={menuTitleLook}>
          {group.title}
        </div>
      ) : null}
      {children}
    </div>
  );
}

interface OptionProps {
  id: string;
  item: MenuItem;
  isActive: boolean;
  onPoint: () => void;
  onChoose: () => void;
}

function Option({ id, item, isActive, onPoint, onChoose }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus, and its Enter chooses
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      aria-current={item.chosen ? "true" : undefined}
      className={classNames(menuItemLook, isActive && "bg-subtle")}
      onPointerMove={isActive ? undefined : onPoint}
      // The field keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
    >
      <MenuItemContent item={item} choice={item.chosen} />
    </div>
  );
}
