"use client";

import { Columns3 } from "lucide-react";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { lazyPart } from "@/components/ui/lazy-part";
import { Menu } from "@/components/ui/menu/menu";
import type { ChosenColumns } from "./chosen-columns";

const ColumnsList = lazyPart(() => import("./columns-list").then((module) => module.ColumnsList), {
  isRare: true,
  meanwhile: ({ button }) => <Button {...button} aria-haspopup="menu" aria-expanded={false} />,
});

interface ColumnsMenuProps {
  columns: ChosenColumns;
  nameOf: (id: string) => string;
}

/** Shows, hides and orders the columns of a table. */
export function ColumnsMenu(props: ColumnsMenuProps) {
  return (
    <Menu
      tone="quiet"
      icon={<Columns3 aria-hidden="true" className="size-4" />}
      list={{
        show: (opened) => <ColumnsList {...opened} {...props} />,
        preload: ColumnsList.preload,
      }}
    >
      {t("Columns")}
    </Menu>
  );
}
