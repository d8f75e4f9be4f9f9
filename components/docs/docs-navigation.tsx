"use client";

import { usePathname } from "next/navigation";
import { type ReactNode, useEffect, useState } from "react";
import { classNames } from "@/components/ui/class-names";

export interface DocsGroup {
  title: string;
  links: { href: string; label: string }[];
}

function DocsLink({ href, label }: DocsGroup["links"][number]) {
  const isHere = usePathname() === href;
  const look = classNames(
    "block rounded-control px-2 py-1 text-body",
    isHere ? "bg-subtle font-medium text-text" : "text-muted hover:bg-surface hover:text-text",
  );
  return (
    <a href={href} className={look} aria-current={isHere ? "page" : undefined}>
      {label}
    </a>
  );
}

interface DocsNavigationProps {
  groups: DocsGroup[];
  /** The icon of the button, rendered by the server. */
  icon: ReactNode;
}

/** Every page of the documentation in groups: a column on wide screens, a menu button on narrow ones. */
export function DocsNavigation({ groups, icon }: DocsNavigationProps) {
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => {
    document.querySelector('nav [aria-current="page"]')?.scrollIntoView({ block: "nearest" });
  }, []);
  return (
    <nav aria-label="Documentation" className="print:hidden">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
        className="flex h-8 items-center gap-2 rounded-control border border-border-strong px-3 text-control lg:hidden"
      >
        {icon}
        All pages
      </button>
      <div
        className={classNames("flex-col gap-5 pt-4 lg:flex lg:pt-0", isOpen ? "flex" : "hidden")}
      >
        {groups.map(({ title, links }) => (
          <div key={title}>
            <p className="px-2 pb-1 text-meta font-medium text-muted">{title}</p>
            <ul>
              {links.map((link) => (
                <li key={link.href}>
                  <DocsLink {...link} />
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </nav>
  );
}
