"use client";

import { useQuery } from "@tanstack/react-query";
import { Command } from "cmdk";
import { BookOpen, SearchCode } from "lucide-react";
import { useDeferredValue, useMemo } from "react";
import { type Prepared, prepare, search as searchDocs } from "@/components/docs/search-results";
import { t } from "@/components/texts/t";
import type { SearchEntry } from "@/lib/catalogue/docs-search";
import { foundAlready, PaletteItem } from "./item";
import { commandOf, operationOf, pastedCall } from "./search";

const icon = "size-4 text-muted";
const maxShown = 5;

interface PaletteDocsProps {
  search: string;
  go: (href: string, label: string) => void;
}

/** The index of the documentation, loaded with the first letters; it is the same for all users. */
function useIndex(isWanted: boolean): Prepared[] {
  const { data = [] } = useQuery({
    queryKey: ["docs", "search-index"],
    queryFn: async ({ signal }): Promise<SearchEntry[]> => {
      const response = await fetch("/docs/search.json", { signal });
      if (!response.ok) throw new Error(`The index was answered with ${response.status}.`);
      return response.json();
    },
    select: prepare,
    enabled: isWanted,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data;
}

/** Operations, error codes and guides that match the words, and the operation of a pasted call. */
export function PaletteDocs({ search: typed, go }: PaletteDocsProps) {
  const search = useDeferredValue(typed);
  const index = useIndex(search.trim().length > 1);
  const pasted = pastedCall(search);
  const isSearch = !pasted && search.trim().length > 1 && commandOf(search).verb === undefined;
  // Memoized: the urgent render of the typed letter must not search again.
  const found = useMemo(
    () => (isSearch ? searchDocs(index, search, maxShown) : []),
    [index, search, isSearch],
  );
  if (pasted) {
    const operations = index.flatMap(({ entry }) => (entry.where === "Operation" ? [entry] : []));
    const name = operationOf(
      pasted,
      operations.map(({ title }) => title),
    );
    const entry = operations.find(({ title }) => title === name);
    return <PastedCall {...{ go, entry }} call={`${pasted.method} ${pasted.path}`} />;
  }
  if (found.length === 0) return null;
  return (
    <Command.Group heading={t("Documentation")}>
      {found.map(({ title, href, where }) => (
        <PaletteItem
          key={href}
          value={`docs-${href}`}
          keywords={[foundAlready]}
          icon={<BookOpen aria-hidden="true" className={icon} />}
          note={where}
          onSelect={() => go(href, title)}
        >
          {title}
        </PaletteItem>
      ))}
    </Command.Group>
  );
}

interface PastedCallProps extends Pick<PaletteDocsProps, "go"> {
  /** Method and path. */
  call: string;
  /** The entry of its operation; undefined when the service has none. */
  entry: SearchEntry | undefined;
}

/** The operation of a pasted call; its headers, which may contain a secret, are not sent. */
function PastedCall({ go, call, entry }: PastedCallProps) {
  return (
    <Command.Group heading={t("Pasted call")}>
      <PaletteItem
        value="pasted-call"
        keywords={[foundAlready]}
        disabled={!entry}
        icon={<SearchCode aria-hidden="true" className={icon} />}
        note={entry ? entry.text : t("no operation of this service")}
        onSelect={() => entry && go(entry.href, entry.title)}
      >
        {entry ? t("Explain {title}", { title: entry.title }) : call}
      </PaletteItem>
    </Command.Group>
  );
}
