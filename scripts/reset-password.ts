import { parseArgs } from "node:util";
import { hashPatiently } from "@/lib/access/hashing";
import { adoptSecretKey } from "@/lib/access/sealed";
import { runCommand } from "@/lib/database/command";
import { actingAsSystem } from "@/lib/features/audit/service";
import { removeSecondFactors } from "@/lib/features/sessions/second-factors/reset";
import { tenantExists } from "@/lib/features/tenants/policy";
import { resetPassword } from "@/lib/features/users/reset-password";
import { administrators } from "@/lib/setup/seed";

async function chooseTenant(given: string | undefined): Promise<string> {
  for (const tenantId of given === undefined ? Object.keys(administrators) : [given])
    if (await tenantExists(tenantId)) return tenantId;
  throw new Error(
    given === undefined
      ? "Name the tenant: --tenant <id>"
      : `There is no tenant "${given}" in this store.`,
  );
}

hashPatiently();
await runCommand(async () => {
  await adoptSecretKey();
  const { values } = parseArgs({
    options: {
      tenant: { type: "string" },
      login: { type: "string" },
      "reset-second-factors": { type: "boolean", default: false },
    },
  });
  const tenantId = await chooseTenant(values.tenant);
  const login =
    values.login ?? (tenantId === "platform" ? administrators.platform : administrators.demo);
  const acting = actingAsSystem(tenantId, "reset-password");
  const reset = await resetPassword(acting, login);
  const removed = values["reset-second-factors"] ? await removeSecondFactors(acting, reset) : 0;
  return [
    `  Tenant     ${tenantId}`,
    `  Login      ${reset.login}`,
    `  Password   ${reset.password}`,
    `The password is shown only here, is good until ${reset.expiresAt.toISOString()}, and must be changed at the next sign-in.`,
    "The user's sessions have ended.",
    ...(reset.wasLocked ? ["The user was locked, and is no longer."] : []),
    ...(removed > 0 ? ["The user's second factors and recovery codes were removed."] : []),
    ...(reset.wasInactive ? ["The user was not active, and is now."] : []),
  ];
});
