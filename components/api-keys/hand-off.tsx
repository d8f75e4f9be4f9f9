"use client";

import { Link2 } from "lucide-react";
import { useState } from "react";
import { handOffLink } from "@/components/hand-off/link";
import { seal } from "@/components/hand-off/sealing";
import { usePortal } from "@/components/shell/portal";
import { rich } from "@/components/texts/rich";
import { labelled, msg, t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { CallFailed } from "@/components/ui/call-failed";
import { CopyButton } from "@/components/ui/copy-button";
import { Instant } from "@/components/ui/instant";
import { Notice } from "@/components/ui/notice";
import { Segmented } from "@/components/ui/segmented";
import { useAction } from "@/components/ui/use-action";
import type { NewKey } from "./key-formats";
import type { Whose } from "./suspend";

const lifetimes = [
  { value: "PT1H", label: msg("1 hour") },
  { value: "P1D", label: msg("1 day") },
  { value: "P7D", label: msg("7 days") },
] as const;

type Lifetime = (typeof lifetimes)[number]["value"];

const operations = {
  own: "POST /v1/user/profile/api-keys/{apiKeyId}/hand-offs",
  managed: "POST /v1/user/api-keys/{apiKeyId}/hand-offs",
} as const;

interface HandOffProps {
  newKey: NewKey;
  whose: Whose;
  onCopied: () => void;
}

/** Hands the secret to a colleague by a link that opens once, instead of a chat that keeps it. */
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
  url: string;
  expiresAt: string;
}

/** Encrypts the secret here; the service gets what it cannot read. */
function useCreateLink({ newKey, whose }: HandOffProps) {
  const { view, call } = usePortal();
  return async (validFor: Lifetime): Promise<CreatedLink> => {
    const { sealed, key } = await seal(newKey.apiKey);
    const { token, expiresAt } = await call(operations[whose], {
      params: { apiKeyId: newKey.apiKeyId },
      body: { sealed, validFor },
    });
    const url = handOffLink(window.location.origin, { tenant: view.tenant, token, key });
    return { url, expiresAt };
  };
}

function HandOffForm(props: HandOffProps) {
  const [lifetime, setLifetime] = useState<Lifetime>("P1D");
  const [link, setLink] = useState<CreatedLink>();
  const create = useCreateLink(props);
  const { busy, error, submit } = useAction(async () => setLink(await create(lifetime)));
  return (
    <form
      onSubmit={submit}
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
      {error ? <CallFailed title={t("The link was not created")} error={error} /> : null}
      {link ? <LinkReady {...link} onCopied={props.onCopied} /> : null}
      <div>
        <Button type="submit" busy={busy}>
          {link ? t("Create another link") : t("Create link")}
        </Button>
      </div>
    </form>
  );
}

function LinkReady({ url, expiresAt, onCopied }: CreatedLink & Pick<HandOffProps, "onCopied">) {
  return (
    <Notice tone="success">
      <p role="status" className="mb-2">
        {rich("It opens once, until {when}. Rotating or revoking the key withdraws it.", {
          when: <Instant at={expiresAt} form="full" />,
        })}
      </p>
      <code className="block break-all text-meta">{url}</code>
      <div className="mt-2">
        <CopyButton
          text={url}
          label={t("Copy link")}
          words={t("Copy link")}
          tone="secondary"
          onCopied={onCopied}
        />
      </div>
    </Notice>
  );
}
