"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Command } from "cmdk";
import { User } from "lucide-react";
import { userKeys } from "@/components/users/query-keys";
import { PaletteItem, PaletteNothing } from "./palette-item";
import { usePortal } from "./portal";
import { withSite } from "./site";

interface PaletteUsersProps {
  search: string;
  site: string | undefined;
  go: (href: string) => void;
}

/** The people whose login, name or e-mail address matches the text typed. */
export function PaletteUsers({ search, site, go }: PaletteUsersProps) {
  const { view, call } = usePortal();
  const q = search.trim();
  const found = useQuery({
    queryKey: userKeys.find(view.tenant, site, q),
    queryFn: () => call("GET /v1/user/list", { site, query: { q, limit: "6" } }),
    enabled: q.length > 1,
    placeholderData: keepPreviousData,
  });
  if (q.length < 2 || !found.data?.length)
    return found.isFetching ? null : <PaletteNothing search={search} />;
  return (
    <Command.Group heading="People" forceMount>
      {found.data.map((user) => (
        <PaletteItem
          key={user.id}
          value={`user-${user.id}`}
          keywords={[user.name, user.login, user.emailAddress, q]}
          icon={<User aria-hidden="true" className="size-4 text-muted" />}
          note={user.login}
          onSelect={() => go(withSite(`/t/${view.tenant}/users/${user.id}`, site))}
        >
          {user.name}
        </PaletteItem>
      ))}
    </Command.Group>
  );
}
