import { t } from "@/components/texts/t";
import { Card } from "@/components/ui/card";
import { Link } from "@/components/ui/link";
import type { AttentionItem } from "./attention-items";

/** What somebody should look at in this tenant, each with the way to it. */
export function Attention({ items }: { items: AttentionItem[] }) {
  if (items.length === 0) return null;
  return (
    <Card title={t("Needs attention")} id="attention" flush>
      <ul>
        {items.map(({ key, text, action, href }) => (
          <li
            key={key}
            className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-border px-4 py-2.5 last:border-b-0"
          >
            <span className="min-w-0 flex-1 basis-56">{text}</span>
            <Link
              href={href}
              className="rounded-[3px] font-medium text-accent underline-offset-4 hover:underline"
            >
              {action}
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}
