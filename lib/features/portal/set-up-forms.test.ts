import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { withAccessChange } from "@/lib/access/access-versions";
import { tenants } from "@/lib/database/schema/schema";
import { codeOf } from "@/lib/features/sessions/second-factors/testing/factors";
import { testServer } from "@/lib/http/testing/test-server";
import { makeTenant, makeUser } from "@/lib/setup/testing/factories";
import type { SendOperation } from "./form-answers";
import { submitPublicForm } from "./public-forms";

const call = testServer();
const password = "correct horse battery";

const send: SendOperation = (operation, { tenant = "", body, sessionId }) =>
  call(operation, {
    headers: {
      "X-Service-Tenant": tenant,
      ...(sessionId !== undefined && { "X-Service-Session-Id": sessionId }),
    },
    body,
  });

const submit = (fields: Record<string, string>) =>
  submitPublicForm({
    ...{ path: "/sign-in", query: new URLSearchParams(), headers: new Headers(), send },
    fields: new URLSearchParams(fields),
  });

test("the form of the sign-in page sets up a required second factor, with the same secret after a wrong code", async () => {
  const tenant = await makeTenant();
  await makeUser(tenant, { login: "ann", password, roleIds: ["portal.default"] });
  const policy = { secondFactor: "everybody" as const };
  await withAccessChange(tenant, (tx) =>
    tx.update(tenants).set({ policy }).where(eq(tenants.tenantId, tenant)),
  );
  const { form } = await submit({ tenant, login: "ann", password });
  expect(form?.step).toBe("set-up");
  const secret = form?.setUp?.totp.secret ?? "";
  const sent = { ...form?.values, step: "set-up", setUp: JSON.stringify(form?.setUp) };
  const wrong = await submit({ ...sent, code: "12345" });
  expect(wrong.form).toMatchObject({ step: "set-up", setUp: { totp: { secret } } });
  expect(wrong.cookie).toBeUndefined();
  const done = await submit({ ...sent, code: codeOf(secret) });
  expect(done.form?.recoveryCodes).toHaveLength(10);
  expect(done.cookie).toContain("next-auth.session-token=");
  const again = await submit({ ...sent, code: codeOf(secret, 1) });
  expect(again.form?.step).toBeUndefined();
  expect(again.form?.problem?.code).toBe("auth.challenge-invalid");
});
