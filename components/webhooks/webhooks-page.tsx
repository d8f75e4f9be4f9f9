"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { DestinationsPage } from "@/components/destinations/page";
import { DestinationState, DestinationsTable } from "@/components/destinations/table";
import { useAddress } from "@/components/shell/address";
import { curlByKey } from "@/components/shell/copied-call";
import { usePortal } from "@/components/shell/portal";
import { msg, t } from "@/components/texts/t";
import { holdsWords, SearchBar } from "@/components/ui/form/search-input";
import { Instant } from "@/components/ui/instant";
import { Few } from "@/components/ui/table/few";
import { type StatusChip, StatusChips } from "@/components/ui/table/status-chips";
import { useWholeList } from "@/components/ui/whole-list";
import type { Webhook } from "@/lib/features/destinations/webhooks/contract";
import { CreateWebhook } from "./create-dialog";
import { useWebhooksQuery } from "./webhook-queries";

/** The list of webhooks. */
export function WebhooksPage() {
  const { view } = usePortal();
  const found = useInfiniteQuery(useWebhooksQuery());
  const [{ state, q }] = useAddress(["state", "q"]);
  useWholeList(found, state !== "" || q !== "");
  return (
    <DestinationsPage
      found={found}
      title={t("Webhooks")}
      lead={t("Send events of this tenant to your own services, signed and in order.")}
      create={t("Create webhook")}
      failed={t("The webhooks could not be loaded")}
      more={t("Show more webhooks")}
      empty={{
        title: t("No webhooks yet"),
        purpose: t(
          "A webhook receives each event within seconds: users, keys, sites, previews and customers.",
        ),
        create: t("Create the first webhook"),
        curl: curlByKey(view, "/v1/webhooks", {
          headers: [["Content-Type", "application/json"]],
          data: '{"url":"https://hooks.example.com/gatehouse","types":["user.*"]}',
        }),
        about: t("the call that creates a webhook"),
      }}
      dialog={(onClose) => <CreateWebhook onClose={onClose} />}
    >
      {(webhooks) => <Filtered webhooks={webhooks} isComplete={!found.hasNextPage} />}
    </DestinationsPage>
  );
}

/** The status of a webhook; enabled ones succeed or fail. */
const statusOf = ({ status, failingSince }: Webhook) =>
  status === "enabled" && failingSince ? "failing" : status;

const chips: StatusChip<string>[] = [
  { value: "failing", label: msg("Failing"), tone: "warning" },
  { value: "enabled", label: msg("Enabled"), tone: "success" },
  { value: "disabled", label: msg("Disabled"), tone: "neutral" },
];

const textOf = ({ url, description, types, site }: Webhook) =>
  [url, description, ...types, site].join(" ");

interface FilteredProps {
  webhooks: Webhook[];
  /** Whether all webhooks are loaded: only then can they be counted. */
  isComplete: boolean;
}

function Filtered({ webhooks, isComplete }: FilteredProps) {
  const [{ state, q }, setAddress] = useAddress(["state", "q"]);
  const found = webhooks.filter((one) => holdsWords(textOf(one), q));
  const count = (value: string) => found.filter((one) => statusOf(one) === value).length;
  const matching = found.filter((one) => state === "" || statusOf(one) === state);
  return (
    <>
      <SearchBar
        label={t("Search webhooks")}
        placeholder={t("URL, event or site")}
        value={q}
        onChange={(next) => setAddress({ q: next })}
      />
      <StatusChips
        label={t("State")}
        chips={chips.map((chip) => (isComplete ? { ...chip, count: count(chip.value) } : chip))}
        value={state}
        onChange={(next) => setAddress({ state: next })}
      />
      {matching.length > 0 ? (
        <Few items={matching}>{(shown) => <WebhooksTable webhooks={shown} />}</Few>
      ) : (
        <p className="p-4 text-muted">{t("No webhook matches.")}</p>
      )}
    </>
  );
}

function WebhooksTable({ webhooks }: { webhooks: Webhook[] }) {
  const { view } = usePortal();
  const muted = "text-muted";
  return (
    <DestinationsTable
      label={t("Webhooks, newest first")}
      name={t("URL")}
      items={webhooks}
      pathOf={({ id }) => `/t/${view.tenant}/webhooks/${id}`}
      placeOf={({ url }) => url}
      columns={[
        {
          name: t("Events"),
          cell: ({ types }) => types.join(", "),
          className: "max-w-64 truncate text-muted",
        },
        { name: t("Site"), cell: ({ site }) => site ?? t("all"), className: muted },
        {
          name: t("State"),
          card: "end",
          cell: (one) => <DestinationState destination={one} failingSince={one.failingSince} />,
        },
        { name: t("Created"), cell: (one) => <Instant at={one.createdAt} />, className: muted },
      ]}
    />
  );
}
