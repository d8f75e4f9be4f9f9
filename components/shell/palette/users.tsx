"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Command } from "cmdk";
import { Lock, User as Person, ShieldCheck, UserRoundCheck } from "lucide-react";
import { usePortal } from "@/components/shell/portal";
import { useSiteName, withSite } from "@/components/shell/site";
import { t } from "@/components/texts/t";
import { holdsWords } from "@/components/ui/form/search-input";
import { useAccessRequestsQuery } from "@/components/users/access-queries";
import { userKeys } from "@/components/users/query-keys";
import type { User } from "@/lib/features/users/contract";
import { foundAlready, PaletteItem, PaletteNothing } from "./item";
import { commandOf, isCall } from "./search";

interface PaletteUsersProps {
  search: string;
  site: string | undefined;
  go: (href: string, label: string) => void;
}

const icon = "size-4 text-muted";

/** The users whose login, name or e-mail address matches the typed text, and their actions. */
export function PaletteUsers({ search, site, go }: PaletteUsersProps) {
  const { view, call } = usePortal();
  const { verb, words: q } = commandOf(search);
  const isAsked = q.length > 1 || isUserVerb(verb);
  const found = useQuery({
    queryKey: userKeys.find(view.tenant, site, q),
    queryFn: () => {
      const named = q === "" ? {} : ({ q, sort: "match" } as const);
      return call("GET /v1/user/list", { site, query: { ...named, limit: "6" } });
    },
    enabled: isAsked && !isCall(search),
    placeholderData: keepPreviousData,
  });
  // Of the previous results only those that still match: Enter must not open the wrong user.
  const users = found.isPlaceholderData
    ? found.data?.filter(({ name, login, emailAddress }) =>
        holdsWords(`${name} ${login} ${emailAddress}`, q),
      )
    : found.data;
  if (!isAsked || !users?.length)
    return found.isFetching ? null : <PaletteNothing search={search} />;
  return (
    <Command.Group heading={t("People")} forceMount>
      {users.flatMap((user, index) => [
        ...(isUserVerb(verb) ? [] : [<UserItem key={user.id} {...{ user, site, go }} />]),
        ...(index === 0 || isUserVerb(verb)
          ? [<UserActions key={`${user.id}-actions`} {...{ user, site, go, verb }} />]
          : []),
      ])}
    </Command.Group>
  );
}

const isUserVerb = (verb: string | undefined) =>
  verb !== undefined && ["lock", "unlock", "roles", "access"].includes(verb);

interface UserItemProps extends Omit<PaletteUsersProps, "search"> {
  user: User;
}

function UserItem({ user, site, go }: UserItemProps) {
  const { view } = usePortal();
  return (
    <PaletteItem
      value={`user-${user.id}`}
      keywords={[foundAlready]}
      icon={<Person aria-hidden="true" className={icon} />}
      note={user.login}
      onSelect={() => go(withSite(`/t/${view.tenant}/users/${user.id}`, site), user.name)}
    >
      {user.name}
    </PaletteItem>
  );
}

/** The most frequent actions on a user; a dialog asks for the rest. */
function UserActions({ user, site, go, verb }: UserItemProps & { verb: string | undefined }) {
  const { view } = usePortal();
  if (!view.permissions.includes("user.manage") || user.id === view.user.id) return null;
  const home = `/t/${view.tenant}/users/${user.id}`;
  const lock = user.lock ? "unlock" : "lock";
  const offered = [
    {
      verbs: [lock],
      label: user.lock
        ? t("Unlock {name}", { name: user.name })
        : t("Lock {name}", { name: user.name }),
      href: `${withSite(home, site)}${site ? "&" : "?"}do=${lock}`,
      Icon: Lock,
    },
    {
      verbs: ["roles", "access"],
      label: t("Roles of {name}", { name: user.name }),
      href: withSite(`${home}/access`, site),
      Icon: ShieldCheck,
    },
  ];
  return offered
    .filter(({ verbs }) => !isUserVerb(verb) || (verb !== undefined && verbs.includes(verb)))
    .map(({ label, href, Icon }) => (
      <PaletteItem
        key={href}
        value={href}
        keywords={[foundAlready]}
        icon={<Icon aria-hidden="true" className={icon} />}
        note={user.login}
        onSelect={() => go(href, label)}
      >
        {label}
      </PaletteItem>
    ));
}

const maxShown = 5;
const freshMs = 30_000;

/** The access requests that the reader may decide, each with a link. */
export function PaletteAccessRequests({ go }: { go: (href: string) => void }) {
  const { view } = usePortal();
  const nameOf = useSiteName();
  const enabled = view.permissions.includes("user.manage");
  const { data = [] } = useQuery({ ...useAccessRequestsQuery(), enabled, staleTime: freshMs });
  const waiting = enabled ? data.filter(({ user }) => user.id !== view.user.id) : [];
  if (waiting.length === 0) return null;
  return (
    <Command.Group heading={t("Access asked for")}>
      {waiting.slice(0, maxShown).map(({ id, user, role, site }) => (
        <PaletteItem
          key={id}
          value={`access-request-${id}`}
          keywords={[user.name, user.login, role, t("Access asked for"), t("Decide")]}
          icon={<UserRoundCheck aria-hidden="true" className="size-4 text-muted" />}
          note={site === null ? role : `${role} · ${nameOf(site)}`}
          onSelect={() => go(`/t/${view.tenant}/notices#access-requests`)}
        >
          {t("Decide what {name} asks for", { name: user.name })}
        </PaletteItem>
      ))}
    </Command.Group>
  );
}
