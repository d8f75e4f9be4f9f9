import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { Link } from "@/components/ui/link";

export interface ListedOperation {
  operation: string;
  summary: string;
  permission: string | undefined;
  href: string;
}

/** Operations in groups, each a link to its page. */
export function OperationList({
  groups,
}: {
  groups: { name: string; operations: ListedOperation[] }[];
}) {
  return (
    <div className="flex flex-col gap-6">
      {groups.map(({ name, operations }) => (
        <Card key={name} id={name.toLowerCase().replace(/\W+/g, "-")} title={name} flush>
          <ul>
            {operations.map((one) => (
              <li
                key={one.operation}
                className="relative flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-border px-4 py-2.5 last:border-b-0 hover:bg-surface"
              >
                <Link
                  href={one.href}
                  className="min-w-0 break-all rounded-[3px] font-mono text-meta font-medium after:absolute after:inset-0 sm:basis-96"
                >
                  {one.operation}
                </Link>
                <span className="min-w-0 flex-1 basis-48 text-muted">{one.summary}</span>
                {one.permission && one.permission !== "any-role" ? (
                  <Badge>{one.permission}</Badge>
                ) : null}
              </li>
            ))}
          </ul>
        </Card>
      ))}
    </div>
  );
}
