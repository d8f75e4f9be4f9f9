interface GuideListProps {
  guides: { name: string; title: string; lead: string }[];
}

/** Every guide with its summary. */
export function GuideList({ guides }: GuideListProps) {
  return (
    <ul className="mb-8 grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
      {guides.map(({ name, title, lead }) => (
        <li
          key={name}
          className="relative rounded-card border border-border p-4 hover:border-border-strong"
        >
          <a
            href={`/docs/guides/${name}`}
            className="rounded-[3px] text-control font-semibold after:absolute after:inset-0"
          >
            {title}
          </a>
          <p className="mt-1 line-clamp-3 text-muted">{lead}</p>
        </li>
      ))}
    </ul>
  );
}
