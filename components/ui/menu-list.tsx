"use client";

import { Check } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import { type ComponentProps, Fragment } from "react";
import { reader } from "@/components/texts/t";
import { Button } from "./button";
import { classNames } from "./class-names";
import { Link } from "./link";
import type { MenuGroup, MenuItem } from "./menu";
import { menuIcons } from "./menu-icons";

interface MenuListProps {
  groups: MenuGroup[];
  align: "start" | "end";
  button: ComponentProps<typeof Button>;
  /** Then the first item has the focus, as the menu pattern asks. */
  byKeyboard: boolean;
}

/** The opened menu: it takes the place of the button that asked for it. */
export function MenuList({ groups, align, button, byKeyboard }: MenuListProps) {
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
          className="enter-rise z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-48 max-w-80 overflow-y-auto rounded-card bg-bg p-1 shadow-float"
        >
          {groups.map((group, index) => (
            <Fragment key={group.key}>
              {index > 0 ? <DropdownMenu.Separator className="-mx-1 my-1 h-px bg-border" /> : null}
              <DropdownMenu.Group>
                {group.title ? (
                  <DropdownMenu.Label className="px-2 py-1.5 text-meta text-muted">
                    {group.title}
                  </DropdownMenu.Label>
                ) : null}
                {group.items.map((item) => (
                  <Item key={item.key} item={item} />
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

const look =
  "flex min-h-8 cursor-pointer select-none items-center gap-2 rounded-control px-2 py-1 text-body outline-none data-highlighted:bg-subtle data-disabled:cursor-not-allowed";

function ItemContent({ item, choice }: { item: MenuItem; choice: boolean | undefined }) {
  const Icon = item.icon && menuIcons[item.icon];
  return (
    <>
      {Icon ? <Icon aria-hidden="true" className="size-4 text-muted" /> : null}
      <span className="min-w-0 flex-1">
        <span className={classNames("block truncate", item.unavailable && "text-muted")}>
          {item.label}
        </span>
        {item.unavailable ? (
          <span className="block text-meta text-muted">{item.unavailable}</span>
        ) : null}
      </span>
      {choice === undefined ? null : (
        <Check
          aria-hidden="true"
          className={classNames("size-4 text-accent", !choice && "invisible")}
        />
      )}
    </>
  );
}

function Item({ item }: { item: MenuItem }) {
  const className = classNames(look, item.danger && "text-danger");
  const choice = item.checked ?? item.chosen;
  const content = <ItemContent item={item} choice={choice} />;
  if (item.href) {
    return (
      <DropdownMenu.Item asChild className={className}>
        <Link href={item.href} aria-current={item.chosen ? "true" : undefined}>
          {content}
        </Link>
      </DropdownMenu.Item>
    );
  }
  if (choice !== undefined) {
    return (
      <DropdownMenu.CheckboxItem
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
