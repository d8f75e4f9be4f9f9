import { t } from "@/components/texts/t";
import { CopyButton } from "@/components/ui/copy-button";
import type { Connection } from "@/lib/features/connections/contract";

interface CopiedProps {
  label: string;
  hint?: string;
  text: string;
  /** The name of the copied value, for pages with several. */
  copy?: string;
}

/** A value that the administrator enters at the provider. */
export const Copied = ({ label, hint, text, copy }: CopiedProps) => (
  <div className="text-body">
    <p className="font-medium">{label}</p>
    {hint ? <p className="text-meta text-muted">{hint}</p> : null}
    <p className="flex items-center gap-1">
      <code className="text-meta wrap-anywhere">{text}</code>
      <CopyButton text={text} label={copy ?? t("Copy##provisioning value")} />
    </p>
  </div>
);

/** The values of a connection to configure at the provider. */
export const Addresses = ({ connection }: { connection: Connection }) => (
  <>
    <Copied
      label={t("Redirect URI to register at the provider")}
      text={connection.redirectUri}
      copy={t("Copy redirect URI")}
    />
    <Copied
      label={t("Back-channel logout URL")}
      hint={t("With it the provider ends sessions here when it signs somebody out.")}
      text={connection.backchannelLogoutUri}
      copy={t("Copy back-channel logout URL")}
    />
    <Copied
      label={t("Post-logout redirect URI")}
      hint={t("With it people can sign out at the provider when they sign out here.")}
      text={connection.postLogoutRedirectUri}
      copy={t("Copy post-logout redirect URI")}
    />
  </>
);
