"use client";

import { DropdownMenu } from "radix-ui";
import { type ComponentProps, Fragment, type ReactNode, useId } from "react";
import { reader } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { classNames } from "@/components/ui/class-names";
import { Link } from "@/components/ui/link";
import type { MenuGroup, MenuItem } from "./item";
import { MenuItemContent, menuItemLook, menuLook, menuTitleLook } from "./item";

export interface MenuListProps {
  groups: MenuGroup[];
  align: "start" | "end";
  button: ComponentProps<typeof Button>;
  /** Focuses the first item, as the ARIA menu pattern requires. */
  byKeyboard: boolean;
  /** Renders an item, by default as a plain entry. */
  entry?: (item: MenuItem, index: number, items: MenuItem[]) => ReactNode;
}

const plainEntry = (item: MenuItem) => <MenuEntry item={item} />;

/** The opened menu, which replaces the placeholder button. */
export function MenuList({ groups, align, button, byKeyboard, entry = plainEntry }: MenuListProps) {
  const id = useId();
  return (
    <DropdownMenu.Root defaultOpen modal={false} dir={reader().direction}>
      <DropdownMenu.Trigger asChild>
        <Button {...button} />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal container={document.querySelector("main") ?? document.body}>
        <DropdownMenu.Content
          ref={byKeyboard ? focusFirstItem : null}
          align={align}
          sideOffset={6}
          collisionPadding={12}
          className={`${menuLook} max-h-(--radix-dropdown-menu-content-available-height)`}
        >
          {groups.map((group, index) => (
            <Fragment key={group.key}>
              {index > 0 ? <DropdownMenu.Separator className="-mx-1 my-1 h-px bg-border" /> : null}
              <DropdownMenu.Group aria-labelledby={group.title ? `${id}${index}` : undefined}>
                {group.title ? (
                  <DropdownMenu.Label id={`${id}${index}`} className={menuTitleLook}>
                    {group.title}
                  </DropdownMenu.Label>
                ) : null}
                {group.items.map((item, place, items) => (
                  <Fragment key={item.key}>{entry(item, place, items)}</Fragment>
                ))}
              </DropdownMenu.Group>
            </Fragment>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

function focusFirstItem(menu: HTMLElement | null): void {
  requestAnimationFrame(() => menu?.querySelector<HTMLElement>("[role^=menuitem]")?.focus());
}

const look = `${menuItemLook} data-highlighted:bg-subtle data-disabled:cursor-not-allowed`;

interface MenuEntryProps
  extends Pick<ComponentProps<"div">, "className" | "onKeyDown" | "aria-keyshortcuts"> {
  item: MenuItem;
}

export function MenuEntry({ item, className: place, ...rest }: MenuEntryProps) {
  const className = classNames(look, item.danger && "text-danger", place);
  const choice = item.checked ?? item.chosen;
  const content = <MenuItemContent item={item} choice={choice} />;
  if (item.href) {
    const Anchor = item.leadsOn ? "a" : Link;
    return (
      <DropdownMenu.Item asChild className={className}>
        <Anchor href={item.href} aria-current={item.chosen ? "true" : undefined}>
          {content}
        </Anchor>
      </DropdownMenu.Item>
    );
  }
  if (choice !== undefined) {
    return (
      <DropdownMenu.CheckboxItem
        {...rest}
        className={className}
        checked={choice}
        onCheckedChange={item.onSelect}
        {...(item.checked === undefined ? {} : { onSelect: (event) => event.preventDefault() })}
      >
        {content}
      </DropdownMenu.CheckboxItem>
    );
  }
  return (
    <DropdownMenu.Item
      className={className}
      disabled={item.unavailable !== undefined}
      onSelect={item.onSelect}
    >
      {content}
    </DropdownMenu.Item>
  );
}
