import { z } from "zod";
import { endpoint, inSession } from "@/lib/protocol/endpoint";
import { InstantAnswer, PasswordText } from "@/lib/protocol/formats";

export const AuthenticatedBy = z.array(z.string()).meta({
  description: "How the person was authenticated then: password",
  examples: [["password"]],
});

export const StepUp = z.strictObject({ password: PasswordText });

export const stepUpSession = endpoint({
  operation: "POST /v1/user/session/step-up",
  summary: "Confirm one's identity, for operations that need a recent proof of it",
  ...inSession("ownAccount"),
  bodyLimit: 8 * 1024,
  body: StepUp,
  answer: z.object({
    authenticatedAt: InstantAnswer.meta({ description: "Now: the proof is fresh from here on" }),
    authenticatedBy: AuthenticatedBy,
  }),
  codes: ["auth.too-many-attempts", "auth.busy"],
});
