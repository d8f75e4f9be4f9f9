"use client";

import { MoreHorizontal } from "lucide-react";
import { Suspense } from "react";
import { useAskedAction } from "@/components/shell/asked-action";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { lazyPart } from "@/components/ui/lazy-part";
import { Menu } from "@/components/ui/menu/menu";

const NewCustomerDialog = lazyPart(() =>
  import("./new-customer-dialog").then((module) => module.NewCustomerDialog),
);
const ImportDialog = lazyPart(() =>
  import("./import-dialog").then((module) => module.ImportDialog),
);
const ExportDialog = lazyPart(() =>
  import("./export-dialog").then((module) => module.ExportDialog),
);

const actions = ["create", "import", "export"] as const;

/** The actions on all customers of a site. */
export function ListActions({ site }: { site: string }) {
  const [opened, setOpened] = useAskedAction(actions);
  const close = () => setOpened(undefined);
  const items = [
    { key: "import", label: t("Import customers"), onSelect: () => setOpened("import") },
    { key: "export", label: t("Export customers"), onSelect: () => setOpened("export") },
  ];
  return (
    <div className="flex items-center gap-2">
      <Button tone="primary" onClick={() => setOpened("create")}>
        {t("Create customer")}
      </Button>
      <Menu
        tone="secondary"
        size="icon"
        aria-label={t("More actions")}
        icon={<MoreHorizontal aria-hidden="true" className="size-4" />}
        groups={[{ key: "more", items }]}
      />
      <Suspense>
        {opened === "create" ? <NewCustomerDialog site={site} onClose={close} /> : null}
        {opened === "import" ? <ImportDialog site={site} onClose={close} /> : null}
        {opened === "export" ? <ExportDialog site={site} onClose={close} /> : null}
      </Suspense>
    </div>
  );
}
