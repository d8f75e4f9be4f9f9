import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { classNames } from "@/components/ui/class-names";
import { Loaded } from "@/components/ui/loaded";
import { isWaiting } from "@/components/ui/notice";

/** An infinite query of pages with items. */
interface Pages<Item> {
  data: { pages: { items: Item[] }[] } | undefined;
  error: Error | null;
  isPlaceholderData: boolean;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => Promise<unknown>;
}

interface ListResultProps<Item> {
  found: Pages<Item>;
  failed: string;
  /** The label of the button that reads the next page, such as "Show older entries". */
  more: string;
  /** The content for an empty list. */
  empty: ReactNode;
  action?: ReactNode;
  children: (items: Item[]) => ReactNode;
}

/** The result of a list: the items with a button for more, a skeleton, the empty state, or the error. */
export function ListResult<Item>(props: ListResultProps<Item>) {
  const { found, failed, more, empty, action, children } = props;
  return (
    <Loaded found={found} failed={failed} skeleton="m-3 h-96" action={action} flush>
      {({ pages }) => {
        const items = pages.flatMap((page) => page.items);
        if (items.length === 0) return empty;
        return (
          <div
            aria-busy={found.isPlaceholderData}
            className={classNames(found.isPlaceholderData && !isWaiting(found) && "opacity-60")}
          >
            {children(items)}
            {found.hasNextPage ? (
              <div className="border-t border-border p-3 text-center">
                <Button busy={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
                  {more}
                </Button>
              </div>
            ) : null}
          </div>
        );
      }}
    </Loaded>
  );
}
