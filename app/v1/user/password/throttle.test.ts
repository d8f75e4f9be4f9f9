import { expect, test } from "vitest";
import { testServer } from "@/lib/http/testing/test-server";
import { stopClock } from "@/lib/setup/testing/clock";
import { makeSignedInUser, makeTenant } from "@/lib/setup/testing/factories";

const send = testServer();

test("429: the holder of a session cannot guess the password either", async () => {
  stopClock();
  const password = "four words in a row";
  const { headers } = await makeSignedInUser(await makeTenant(), { password });
  const change = (current: string) =>
    send("PUT /v1/user/password", {
      headers,
      body: { current, password: "another four words here" },
    });
  const codes: string[] = [];
  while (!codes.includes("auth.too-many-attempts") && codes.length < 50)
    codes.push((await change("not the password")).body.code);
  expect(codes.at(-1)).toBe("auth.too-many-attempts");
  const right = await change(password);
  expect([right.status, right.headers.has("retry-after")]).toEqual([429, true]);
});
