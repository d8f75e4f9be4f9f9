"use client";

import {
  type FormEvent,
  Fragment,
  type ReactNode,
  Suspense,
  useEffect,
  useEffectEvent,
  useState,
} from "react";
import { type FoundMethods, useSignInMethods } from "@/components/connections/provider-buttons";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/form/field";
import { PasswordInput } from "@/components/ui/form/password-input";
import { textOf } from "@/components/ui/form/use-action";
import { useKept } from "@/components/ui/kept";
import { lazyPart } from "@/components/ui/lazy-part";
import type { PendingSignIn } from "./code-form";
import { FailureNotice } from "./failure-notice";
import { LoginFields } from "./login-fields";
import { canUsePasskeys, PasskeyButton } from "./passkey-button";
import { type SignInFailure, signIn, signInByPasskey } from "./sign-in-call";

/** The renewal interval: a challenge is valid for five minutes. */
const renewMs = 240_000;

async function canAutofill(): Promise<boolean> {
  if (!canUsePasskeys()) return false;
  return (await window.PublicKeyCredential.isConditionalMediationAvailable?.()) === true;
}

/** Offers passkeys in the browser's autofill of the login for the given tenant; none for "". */
function usePasskeyAutofill(tenant: string, onChosen: (proof: unknown) => void): void {
  const [round, setRound] = useState(0);
  const chosen = useEffectEvent(onChosen);
  useEffect(() => {
    if (tenant === "") return;
    let isOver = false;
    let end: (() => void) | undefined;
    const offer = async () => {
      if (!(await canAutofill())) return;
      const browser = await import("./passkey-browser");
      if (isOver) return;
      end = browser.endOffer;
      const proof = await browser.offerPasskeys(tenant);
      if (proof && !isOver) chosen(proof);
    };
    void offer();
    const timer = setTimeout(() => setRound(round + 1), renewMs);
    return () => {
      isOver = true;
      clearTimeout(timer);
      end?.();
    };
  }, [tenant, round]);
}

const CodeForm = lazyPart(() => import("./code-form").then((module) => module.CodeForm));

interface SignedIn {
  tenant: string;
  login: string;
  /** Undefined when the form was sent without scripts. */
  password?: string;
}

interface SignInFormProps {
  tenant?: string | undefined;
  login?: string | undefined;
  /** The failure of a sign-in that was sent without scripts. */
  problem?: SignInFailure | undefined;
  /** The second step of a sign-in whose first step was sent without scripts. */
  pending?: PendingSignIn | undefined;
  onSignedIn: (who: SignedIn) => void | Promise<void>;
  /** The sign-in methods of the tenant in the address. */
  methods?: FoundMethods | undefined;
  /** The content above the password, for the tenant in the form. */
  above?: (tenant: string, connections: FoundMethods["connections"] | undefined) => ReactNode;
}

/** Signs in, one request at a time, and not during the wait after too many failures. */
function useSignIn(
  { onSignedIn, problem }: SignInFormProps,
  onTenant: (tenant: string) => void,
  onPending: (who: SignedIn) => void,
) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState(problem);
  // A countdown needs scripts: without them the button works, and the service says how long to wait.
  const [isWaiting, setIsWaiting] = useState(false);
  const [attempts, setAttempts] = useState(0);
  const fail = (rejected: SignInFailure | undefined) => {
    setAttempts(attempts + 1);
    setFailure(rejected);
    setIsWaiting(rejected?.retryAfterSeconds !== undefined);
  };
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy || isWaiting) return;
    const element = event.currentTarget;
    const form = new FormData(element);
    const who = {
      tenant: textOf(form, "tenant").toLowerCase(),
      login: textOf(form, "login"),
      password: String(form.get("password") ?? ""),
    };
    setBusy(true);
    const rejected = await signIn(who);
    if (rejected?.code === "auth.second-factor-required") return onPending(who);
    // The response page shows data that is shown only once.
    if (rejected?.code === "auth.second-factor-setup-required") return element.submit();
    fail(rejected);
    if (!rejected) {
      onTenant(who.tenant);
      await onSignedIn(who);
    }
    setBusy(false);
  };
  const byPasskey = async (tenant: string, proof: unknown) => {
    setBusy(true);
    const rejected = await signInByPasskey(tenant, proof);
    fail(rejected);
    if (!rejected) {
      onTenant(tenant);
      await onSignedIn({ tenant, login: "" });
    }
    setBusy(false);
  };
  const endWait = () => setIsWaiting(false);
  return { busy, failure, attempts, isWaiting, submit, byPasskey, fail, endWait };
}

interface SecondStep extends PendingSignIn {
  password?: string;
}

/** The sign-in form: password, and a code when the user has a second factor. */
export function SignInForm(props: SignInFormProps) {
  const [pending, setPending] = useState<SecondStep | undefined>(props.pending);
  const [problem, setProblem] = useState(props.problem);
  const [, setRemembered] = useKept("tenant", "");
  if (!pending)
    return (
      <PasswordForm
        {...props}
        problem={problem}
        onPending={(who) => {
          setProblem(undefined);
          setPending(who);
        }}
      />
    );
  const { tenant, login, challenge, password } = pending;
  // No Suspense in the response to a form sent without scripts: it must be complete.
  const Arriving = props.pending ? Fragment : Suspense;
  return (
    <Arriving>
      <CodeForm
        pending={{ tenant, login, ...(challenge !== undefined && { challenge }) }}
        problem={problem}
        onSignedIn={() => {
          setRemembered(tenant);
          return props.onSignedIn({ tenant, login, ...(password !== undefined && { password }) });
        }}
        onBack={(failure) => {
          setProblem(failure);
          setPending(undefined);
        }}
      />
    </Arriving>
  );
}

interface PasswordFormProps extends SignInFormProps {
  onPending: (who: SignedIn) => void;
}

function PasswordForm(props: PasswordFormProps) {
  const { tenant, login } = props;
  const [remembered, setRemembered] = useKept("tenant", "");
  const [typed, setTyped] = useState<string>();
  const signingIn = useSignIn(props, setRemembered, props.onPending);
  const { busy, failure, attempts, isWaiting, submit, byPasskey, fail, endWait } = signingIn;
  const named = typed ?? tenant ?? remembered;
  const methods = useSignInMethods(named, props.methods);
  usePasskeyAutofill(methods?.passkey ? named : "", (proof) => void byPasskey(named, proof));
  const askForPasskey = async () => {
    if (named === "") return fail({ code: "passkey.no-tenant", detail: "" });
    const { askPasskey } = await import("./passkey-browser");
    const { proof, failure: refused } = await askPasskey(named);
    if (proof) await byPasskey(named, proof);
    else fail(refused);
  };
  return (
    <form method="post" onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      {props.above?.(named, methods?.connections)}
      {failure ? <FailureNotice key={attempts} failure={failure} onWaited={endWait} /> : null}
      <LoginFields
        {...{ tenant, login, offersPasskeys: methods?.passkey !== false, onTenant: setTyped }}
      />
      <Field label={t("Password")}>
        {(control) => (
          <PasswordInput
            {...control}
            name="password"
            required
            autoComplete="current-password"
            autoFocus={Boolean(tenant && login)}
          />
        )}
      </Field>
      <Button
        type="submit"
        tone="primary"
        busy={busy}
        disabled={isWaiting}
        className="mt-1 h-9 w-full"
      >
        {t("Sign in")}
      </Button>
      {methods?.passkey === false ? null : (
        <PasskeyButton onClick={askForPasskey}>{t("Use a passkey")}</PasskeyButton>
      )}
    </form>
  );
}
