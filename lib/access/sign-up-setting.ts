import { ApiError } from "@/lib/protocol/errors";
import { setting } from "@/lib/protocol/settings";

/** SIGN_UP is `on` or `off`; else on with the embedded store, which somebody tries out, and off with a database of one's own. */
export function isSignUpOpen(): boolean {
  const wanted = setting("SIGN_UP");
  return wanted ? wanted === "on" : !setting("DATABASE_URL");
}

/** Throws 403 where nobody may make a sandbox. */
export function assertSignUpOpen(): void {
  if (isSignUpOpen()) return;
  throw new ApiError(
    "signup.closed",
    "Sign-up is closed on this installation. Ask its operator to create a tenant.",
    "SIGN_UP",
  );
}
