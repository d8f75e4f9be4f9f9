import { Card } from "@/components/ui/card";
import { classNames } from "@/components/ui/class-names";

interface Place {
  place: string;
  href: string | undefined;
}

export interface DayOfChanges {
  date: string;
  groups: { title: string; changes: { added: string; at: Place[] }[] }[];
}

/** The number of places listed at first; a click shows the others. */
const shownPlaces = 3;

const linkLook = "rounded-[3px] underline decoration-border-strong underline-offset-4";

/** The introduction to the list, with its other formats. */
export function ChangelogLead() {
  const link = (href: string, text: string) => (
    <a href={href} className={linkLook}>
      {text}
    </a>
  );
  return (
    <>
      What was added to the interface. Nothing is removed under /v1:{" "}
      {link("/docs/guides/versions", "versions")} says what that means. Also as{" "}
      {link("/docs/changelog.atom", "Atom")} and {link("/docs/changelog.json", "JSON")}.
    </>
  );
}

function PlaceName({ place: { place, href } }: { place: Place }) {
  const name = <code className="text-meta wrap-anywhere">{place}</code>;
  return href === undefined ? (
    name
  ) : (
    <a href={href} className={classNames(linkLook, "inline-block py-1")}>
      {name}
    </a>
  );
}

function PlaceNames({ places }: { places: Place[] }) {
  return (
    <ul className="flex flex-col gap-0.5 text-muted">
      {places.map((one) => (
        <li key={one.place}>
          <PlaceName place={one} />
        </li>
      ))}
    </ul>
  );
}

/** The changes of each day, by kind. */
export function ChangeList({ days }: { days: DayOfChanges[] }) {
  return (
    <div className="flex flex-col gap-6">
      {days.map(({ date, groups }) => (
        <Card key={date} id={date} title={date}>
          <div className="flex flex-col gap-6">
            {groups.map(({ title, changes }) => (
              <section key={title}>
                <h3 className="mb-2 text-control font-semibold">{title}</h3>
                <ul className="flex flex-col gap-3">
                  {changes.map(({ added, at }) => (
                    <li key={`${added} ${at[0]?.place}`}>
                      <span className="wrap-anywhere">{added}</span>
                      <PlaceNames places={at.slice(0, shownPlaces)} />
                      {at.length > shownPlaces ? (
                        <details>
                          <summary className="py-1 text-muted">
                            {at.length - shownPlaces} more
                          </summary>
                          <PlaceNames places={at.slice(shownPlaces)} />
                        </details>
                      ) : null}
                    </li>
                  ))}
                </ul>
              </section>
            ))}
          </div>
        </Card>
      ))}
    </div>
  );
}
