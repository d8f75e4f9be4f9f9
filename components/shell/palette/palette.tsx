"use client";

import { Command } from "cmdk";
import { History, SearchCode, UserRound } from "lucide-react";
import { useRouter } from "next/navigation";
import { Dialog } from "radix-ui";
import { memo, useCallback, useDeferredValue, useState } from "react";
import { requestsPath } from "@/components/request-log/requests-path";
import { openOverlay } from "@/components/shell/overlay";
import { usePortal } from "@/components/shell/portal";
import { useSite, withSite } from "@/components/shell/site";
import { t } from "@/components/texts/t";
import { keepInTab, readInTab } from "@/components/ui/device-storage";
import { useFocusReturn } from "@/components/ui/focus-return";
import { expectPage } from "@/components/ui/typed-ahead";
import { PaletteActions } from "./actions";
import { PaletteCreate, PaletteLetter } from "./create";
import { PaletteDocs } from "./docs";
import { foundAlready, matchOf, PaletteItem, PaletteNothing } from "./item";
import { PaletteKeys } from "./keys";
import { PaletteSites, PaletteTenants } from "./places";
import { SelectFirst, usePaletteSelection } from "./selection";
import { PaletteAccessRequests, PaletteUsers } from "./users";
import { PaletteVerbs } from "./verbs";

/** Recently opened places of this tab; deleted at sign-out because they contain names of users. */
interface RecentPlace {
  href: string;
  label: string;
}

const max = 5;
const nameOf = (tenant: string, userId: string) => `recent.${tenant}.${userId}`;

const isPlace = (value: unknown): value is RecentPlace => {
  const { href, label } = (value ?? {}) as Partial<RecentPlace>;
  return typeof href === "string" && /^\/(?!\/)/.test(href) && typeof label === "string";
};

function readRecent(tenant: string, userId: string): RecentPlace[] {
  const kept = readInTab(nameOf(tenant, userId));
  return Array.isArray(kept) ? kept.filter(isPlace).slice(0, max) : [];
}

function keepRecent(tenant: string, userId: string, place: RecentPlace): void {
  const others = readRecent(tenant, userId).filter(({ href }) => href !== place.href);
  keepInTab(nameOf(tenant, userId), JSON.stringify([place, ...others].slice(0, max)));
}

/** The format of an X-Service-Request-Id: a word with a digit, longer than most search words. */
const requestId = /^(?=.*\d)[A-Za-z0-9._-]{8,64}$/;

/** An item that opens the request with a pasted id, for example from an error. */
function PaletteRequest({ search, go }: { search: string; go: (href: string) => void }) {
  const { view } = usePortal();
  const id = search.trim();
  if (!view.permissions.includes("audit.read") || !requestId.test(id)) return null;
  return (
    <PaletteItem
      value={`request-${id}`}
      keywords={[foundAlready]}
      icon={<SearchCode aria-hidden="true" className="size-4 text-muted" />}
      onSelect={() => go(requestsPath(view.tenant, { requestId: id }))}
    >
      {t("Find request {id}", { id })}
    </PaletteItem>
  );
}

/** Recently opened places, until something is typed. */
function PaletteRecent({ search, open }: { search: string; open: (href: string) => void }) {
  const { view } = usePortal();
  const places = readRecent(view.tenant, view.user.id);
  if (search.trim() !== "" || places.length === 0) return null;
  return (
    <Command.Group heading={t("Recent")}>
      {places.map(({ href, label }) => (
        <PaletteItem
          key={href}
          value={`recent-${href}`}
          icon={<History aria-hidden="true" className="size-4 text-muted" />}
          onSelect={() => open(href)}
        >
          {label}
        </PaletteItem>
      ))}
    </Command.Group>
  );
}

/** The search terms for customers: a whole e-mail address, or an id. */
const exact = /^(?:[^\s@]+@[^\s@]+|cust_[a-z0-9]{26})$/;

interface PaletteCustomerProps {
  search: string;
  site: string | undefined;
  open: (href: string) => void;
}

/** An item that opens the search for a customer; it does not search here, because each search is recorded. */
function PaletteCustomer({ search, site, open }: PaletteCustomerProps) {
  const { view } = usePortal();
  const sought = search.trim();
  const where = site ?? view.sites[0];
  if (!view.permissions.includes("customer.manage") || !exact.test(sought) || !where) return null;
  return (
    <PaletteItem
      value="find-customer"
      keywords={[foundAlready]}
      icon={<UserRound aria-hidden="true" className="size-4 text-muted" />}
      onSelect={() =>
        open(`/t/${view.tenant}/sites/${where}/customers?q=${encodeURIComponent(sought)}`)
      }
    >
      {t("Find customer {sought} of {where}", { sought, where })}
    </PaletteItem>
  );
}

const groupLook =
  "[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-meta [&_[cmdk-group-heading]]:text-muted";

const close = () => openOverlay(undefined);

/** Finds pages, actions, users, keys, sites and documentation by a few letters, and recognizes pasted ids and calls. */
export function Palette() {
  const { view } = usePortal();
  const router = useRouter();
  const site = useSite();
  const focus = useFocusReturn();
  const [search, setSearch] = useState("");
  // The field renders before the items, so that typing can start.
  const isDrawn = useDeferredValue(true, false);
  const { selection, command, typed } = usePaletteSelection(isDrawn);
  const go = useCallback(
    (href: string, label?: string) => {
      if (label) keepRecent(view.tenant, view.user.id, { href, label });
      close();
      expectPage(href);
      router.push(href);
    },
    [router, view],
  );
  return (
    <Dialog.Root open onOpenChange={close}>
      <Dialog.Portal>
        <Dialog.Overlay className="enter-fade fixed inset-0 z-40 bg-(--scrim)" />
        <Dialog.Content
          aria-describedby={undefined}
          {...focus}
          className="enter-rise fixed inset-x-3 top-[max(12px,12vh)] z-50 mx-auto max-w-xl overflow-hidden rounded-dialog bg-bg shadow-float outline-none"
        >
          <Dialog.Title className="sr-only">{t("Search or run a command")}</Dialog.Title>
          <Command loop label={t("Search or run a command")} filter={matchOf} {...command}>
            <SelectFirst {...selection} />
            <Command.Input
              value={search}
              onValueChange={(next) => {
                typed();
                setSearch(next);
              }}
              placeholder={t("Search pages, actions and people")}
              className="h-12 w-full border-b border-border bg-transparent px-4 text-control outline-none placeholder:text-faint"
            />
            <Command.List className={`max-h-[min(24rem,60vh)] overflow-y-auto p-1.5 ${groupLook}`}>
              {isDrawn ? <Found {...{ search, site, go }} onSearch={setSearch} /> : null}
            </Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface FoundProps {
  search: string;
  site: string | undefined;
  go: (href: string, label?: string) => void;
  onSearch: (search: string) => void;
}

/** Independent of the input: the palette hides items that do not match. */
const Fixed = memo(({ site, go }: Pick<FoundProps, "site" | "go">) => (
  <>
    <PaletteActions close={close} open={go} go={(href) => go(withSite(href, site))} />
    <PaletteCreate site={site} open={go} />
    <PaletteAccessRequests go={go} />
    <PaletteTenants />
  </>
));

function Found({ search, site, go, onSearch }: FoundProps) {
  const { view } = usePortal();
  return (
    <>
      <PaletteRecent search={search} open={go} />
      <PaletteLetter {...{ search, site }} open={go} />
      <Fixed {...{ site, go }} />
      <PaletteVerbs {...{ search, onSearch }} />
      <PaletteRequest search={search} go={go} />
      <PaletteCustomer {...{ search, site }} open={go} />
      <PaletteKeys search={search} open={go} />
      <PaletteSites {...{ search, site }} open={go} />
      {view.permissions.includes("user.read") ? (
        <PaletteUsers search={search} site={site} go={go} />
      ) : (
        <PaletteNothing search={search} />
      )}
      <PaletteDocs {...{ search, go }} />
    </>
  );
}
