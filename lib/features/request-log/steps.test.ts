import { expect, test } from "vitest";
import { failedStep } from "./service";

test.each([
  ["request.header-missing", "frame"],
  ["request.method-not-allowed", "method"],
  ["auth.credentials-expired", "credential"],
  ["user.locked", "credential"],
  ["site.unknown", "site"],
  ["auth.permission-missing", "role"],
  ["request.not-acceptable", "format"],
  ["request.validation-failed", "input"],
  ["user.not-found", "resource"],
  ["precondition.failed", "precondition"],
  ["api-key.name-taken", "state"],
  ["server.store-unavailable", "server"],
])("%s fails at the step %s", (code, step) => expect(failedStep(code)).toBe(step));
