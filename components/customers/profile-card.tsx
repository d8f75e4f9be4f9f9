"use client";

import { Suspense, useState } from "react";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { Card, Facts } from "@/components/ui/card";
import { CopyButton } from "@/components/ui/copy-button";
import { Instant } from "@/components/ui/instant";
import { lazyPart } from "@/components/ui/lazy-part";
import type { CustomerDetail, RevealedCustomer } from "@/lib/features/customers/staff-contract";
import type { CareProps } from "./customer-actions";
import { managesEverySite, otherSitesNoticeId } from "./other-sites-notice";
import { revealedFacts } from "./revealed-facts";

const RevealDialog = lazyPart(() =>
  import("./reveal-dialog").then((module) => module.RevealDialog),
);

function maskedFacts({ login, name, emailAddress, birthDate, gender, counts }: CustomerDetail) {
  return [
    { name: t("Login"), value: login },
    { name: t("Name"), value: name ?? t("none") },
    {
      name: t("E-mail addresses"),
      value: emailAddress
        ? `${emailAddress}${counts.emailAddresses > 1 ? ` +${counts.emailAddresses - 1}` : ""}`
        : t("none"),
    },
    { name: t("Birth date"), value: birthDate ?? t("none") },
    { name: t("Gender"), value: gender ?? t("none") },
    { name: t("Addresses"), value: String(counts.addresses) },
    { name: t("Cards"), value: String(counts.creditCards) },
    { name: t("Subscriptions"), value: String(counts.subscriptions) },
  ];
}

/** The profile's lines: revealed values replace masked ones. */
function factsOf(customer: CustomerDetail, revealed: RevealedCustomer | undefined) {
  const clear = revealed ? revealedFacts(revealed) : [];
  return [
    ...maskedFacts(customer).map((fact) => clear.find((one) => one.name === fact.name) ?? fact),
    ...clear.filter((one) => one.name === "Default location"),
    {
      name: t("Customer id"),
      value: (
        <>
          <code className="break-all text-meta">{customer.id}</code>
          <CopyButton text={customer.id} label={t("Copy customer id")} />
        </>
      ),
    },
    { name: t("Registered"), value: <Instant at={customer.registrationDate} form="full" /> },
    {
      name: t("Last sign-in"),
      value: customer.lastLoginAt ? <Instant at={customer.lastLoginAt} form="full" /> : t("never"),
    },
  ];
}

/** The masked profile; revealed values are only in this page's memory. */
export function ProfileCard({ customer, site }: CareProps) {
  const [isAsking, setIsAsking] = useState(false);
  const [revealed, setRevealed] = useState<RevealedCustomer>();
  const mayReveal = managesEverySite(customer);
  const action = revealed ? (
    <Button onClick={() => setRevealed(undefined)}>{t("Hide personal data")}</Button>
  ) : (
    <Button
      disabled={!mayReveal}
      aria-describedby={mayReveal ? undefined : otherSitesNoticeId}
      onClick={() => setIsAsking(true)}
    >
      {t("Reveal personal data")}
    </Button>
  );
  return (
    <Card
      id="profile"
      title={t("Profile")}
      description={
        revealed
          ? t("Personal data visible. Hide it when you are done.")
          : t("Personal data is masked.")
      }
      actions={action}
    >
      <Facts facts={factsOf(customer, revealed)} />
      <Suspense>
        {isAsking ? (
          <RevealDialog
            customer={customer}
            site={site}
            onClose={() => setIsAsking(false)}
            onRevealed={setRevealed}
          />
        ) : null}
      </Suspense>
    </Card>
  );
}
