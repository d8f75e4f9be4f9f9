import { t } from "@/components/texts/t";
import { TextField } from "@/components/ui/form/field";
import { useKept } from "@/components/ui/kept";

interface LoginFieldsProps {
  /** The tenant that a link names, otherwise that of the last sign-in. */
  tenant?: string | undefined;
  login?: string | undefined;
  error?: string | undefined;
  /** The sign-in page: the browser offers passkeys with the login. */
  offersPasskeys?: boolean;
  onTenant?: (tenant: string) => void;
}

/** The fields of tenant and login; the first one that the link does not fill has the focus. */
export function LoginFields({
  tenant,
  login,
  error,
  offersPasskeys = false,
  onTenant,
}: LoginFieldsProps) {
  const [remembered] = useKept("tenant", "");
  return (
    <>
      <TextField
        label={t("Tenant")}
        name="tenant"
        defaultValue={tenant ?? remembered}
        required
        isCode
        autoComplete="organization"
        autoFocus={!tenant}
        onBlur={(event) => onTenant?.(event.currentTarget.value.trim().toLowerCase())}
      />
      <TextField
        label={t("Login")}
        name="login"
        defaultValue={login}
        required
        isCode
        autoComplete={offersPasskeys ? "username webauthn" : "username"}
        autoFocus={Boolean(tenant && !login)}
        error={error}
      />
    </>
  );
}
