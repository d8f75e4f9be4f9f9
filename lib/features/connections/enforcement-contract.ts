import { z } from "zod";
import { endpoint, inSession } from "@/lib/protocol/endpoint";
import { InstantAnswer } from "@/lib/protocol/formats";

export const SignInSafety = z.object({
  connectionSignIn: z.boolean().meta({
    description:
      "Whether a tenant.admin signed in through an enabled connection within the last hour",
  }),
  lastConnectionSignInAt: InstantAnswer.optional().meta({
    description: "When a tenant.admin did so last",
  }),
  emergencyAdministrator: z.boolean().meta({
    description: "Whether an emergency administrator with password and second factor can sign in",
  }),
});

export type SignInSafety = z.infer<typeof SignInSafety>;

export const getSignInSafety = endpoint({
  operation: "GET /v1/tenant/sign-in-safety",
  summary: "Show whether passwords can be limited to emergency administrators without a lock-out",
  ...inSession("securityPolicy"),
  permission: "tenant.manage",
  isTenantWide: true,
  answer: SignInSafety,
});
