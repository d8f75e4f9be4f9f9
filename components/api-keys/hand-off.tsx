"use client";

import { Link2 } from "lucide-react";
import { useState } from "react";
import { handOffLink, hashOf, seal } from "@/components/hand-off/link";
import { usePortal } from "@/components/shell/portal";
import { rich } from "@/components/texts/rich";
import { labelled, msg, t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { CallFailed } from "@/components/ui/error-notice";
import { Segmented } from "@/components/ui/form/segmented";
import { useAction } from "@/components/ui/form/use-action";
import { Instant } from "@/components/ui/instant";
import { Notice } from "@/components/ui/notice";
import { CallError } from "@/lib/catalogue/client";
import type { NewKey } from "./key-formats";
import type { Whose } from "./suspend";

const lifetimes = [
  { value: "PT1H", label: msg("1 hour") },
  { value: "P1D", label: msg("1 day") },
  { value: "P7D", label: msg("7 days") },
] as const;

type Lifetime = (typeof lifetimes)[number]["value"];

const operations = {
  own: {
    create: "POST /v1/user/profile/api-keys/{apiKeyId}/hand-offs",
    withdraw: "DELETE /v1/user/profile/api-keys/{apiKeyId}/hand-offs/{id}",
  },
  managed: {
    create: "POST /v1/user/api-keys/{apiKeyId}/hand-offs",
    withdraw: "DELETE /v1/user/api-keys/{apiKeyId}/hand-offs/{id}",
  },
} as const;

interface HandOffProps {
  newKey: NewKey;
  whose: Whose;
}

/** Shares the secret with a colleague by a link that opens once, instead of a chat that stores it. */
export function HandOff(props: HandOffProps) {
  const [isOpen, setIsOpen] = useState(false);
  // Only a secure context can encrypt.
  if (!window.isSecureContext) return null;
  return (
    <div className="flex flex-col gap-3">
      <div>
        <Button
          tone="quiet"
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
          icon={<Link2 aria-hidden="true" className="size-4" />}
        >
          {t("Create hand-off link")}
        </Button>
      </div>
      {isOpen ? <HandOffForm {...props} /> : null}
    </div>
  );
}

interface CreatedLink {
  id: string;
  url: string;
  expiresAt: string;
}

/** Encrypts the secret in the browser; the service cannot read it. */
function useCreateLink({ newKey: { apiKey, apiKeyId }, whose }: HandOffProps) {
  const { view, call } = usePortal();
  return async (validFor: Lifetime): Promise<CreatedLink> => {
    const { sealed, key } = await seal(apiKey);
    const { id, token, expiresAt } = await call(operations[whose].create, {
      params: { apiKeyId },
      body: { sealed, secretHash: await hashOf(apiKey), validFor },
    });
    return { id, url: handOffLink(view.origin, { tenant: view.tenant, token, key }), expiresAt };
  };
}

/** Withdraws a link; false when it was opened or has expired. */
function useWithdrawLink({ newKey: { apiKeyId }, whose }: HandOffProps) {
  const { call } = usePortal();
  return async ({ id }: CreatedLink): Promise<boolean> => {
    try {
      await call(operations[whose].withdraw, { params: { apiKeyId, id } });
      return true;
    } catch (error) {
      if (error instanceof CallError && error.code === "api-key.hand-off-not-found") return false;
      throw error;
    }
  };
}

/** One link at a time: the secret is shown to one person. */
function useLink(props: HandOffProps) {
  const [link, setLink] = useState<CreatedLink>();
  const [ended, setEnded] = useState<"withdrawn" | "opened">();
  const [create, withdraw] = [useCreateLink(props), useWithdrawLink(props)];
  const end = async () => {
    const how = link && ((await withdraw(link)) ? "withdrawn" : "opened");
    setEnded(how);
    setLink(undefined);
  };
  const replace = async (lifetime: Lifetime) => {
    await end();
    setLink(await create(lifetime));
  };
  return { link, ended, end, replace };
}

function HandOffForm(props: HandOffProps) {
  const [lifetime, setLifetime] = useState<Lifetime>("P1D");
  const { link, ended, end, replace } = useLink(props);
  const creation = useAction(() => replace(lifetime));
  const withdrawal = useAction(end);
  const busy = creation.busy || withdrawal.busy;
  return (
    <form
      method="post"
      onSubmit={creation.submit}
      className="flex flex-col gap-3 rounded-control border border-border p-3"
    >
      <p className="text-body text-muted">
        {t(
          "A link shows the key to one person, once. It is encrypted in your browser: the service cannot read it.",
        )}
      </p>
      <Segmented
        legend={t("The link opens for")}
        name="handOffLifetime"
        options={labelled(lifetimes)}
        value={lifetime}
        onChange={setLifetime}
      />
      <Failed title={t("The link was not created")} error={creation.error} />
      <Failed title={t("The link was not withdrawn")} error={withdrawal.error} />
      <div role="status">{ended ? <Ended how={ended} /> : null}</div>
      {link ? <LinkReady {...link} /> : null}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" busy={busy}>
          {link ? t("Create another link") : t("Create link")}
        </Button>
        {link ? (
          <Button onClick={() => withdrawal.run()} busy={busy}>
            {t("Withdraw link")}
          </Button>
        ) : null}
      </div>
    </form>
  );
}

const Failed = ({ title, error }: { title: string; error: CallError | undefined }) =>
  error ? <CallFailed title={title} error={error} /> : null;

/** The outcome of the previous link. */
function Ended({ how }: { how: "withdrawn" | "opened" }) {
  if (how === "withdrawn")
    return <p className="text-body text-muted">{t("The previous link was withdrawn.")}</p>;
  return (
    <Notice tone="warning">
      {t(
        "The previous link was opened before, or has expired. Rotate the key if nobody should have opened it.",
      )}
    </Notice>
  );
}

function LinkReady({ url, expiresAt }: CreatedLink) {
  return (
    <Notice tone="success">
      <p role="status" className="mb-2">
        {rich(
          "It opens once, until {when}. Another link, or rotating, suspending or revoking the key withdraws it.",
          { when: <Instant at={expiresAt} form="full" /> },
        )}
      </p>
      <code className="block break-all text-meta">{url}</code>
      <div className="mt-2">
        <CopyButton text={url} label={t("Copy link")} words={t("Copy link")} tone="secondary" />
      </div>
    </Notice>
  );
}
