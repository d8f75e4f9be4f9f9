"use client";

import { Columns3 } from "lucide-react";
import { t } from "@/components/texts/t";
import { Button } from "./button";
import type { ChosenColumns } from "./chosen-columns";
import { lazyPart } from "./lazy-part";
import { Menu } from "./menu";

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
