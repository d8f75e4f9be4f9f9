import { NextRequest } from "next/server";
import { describe, expect, test, vi } from "vitest";
import { answerInvalidAuthRequest } from "./auth-request";
import { authOptions } from "./portal";

vi.mock("next/headers", () => ({
  headers: async () => new Headers(),
  cookies: async () => ({ get: () => undefined, set: () => undefined }),
}));

const base = "http://localhost:3000/api/auth";

/** The status of the response, its redirect target, or that next-auth handles the request. */
async function outcomeOf(path: string, init: ConstructorParameters<typeof NextRequest>[1] = {}) {
  const request = new NextRequest(`${base}/${path}`, init);
  const actions = request.nextUrl.pathname.split("/").slice(3);
  try {
    return (await answerInvalidAuthRequest(request, actions))?.status ?? "next-auth";
  } catch (error) {
    return String(Reflect.get(Object(error), "digest"))
      .split(";")
      .slice(0, 3)
      .join(" ");
  }
}

const json = (body: string) => ({
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body,
});

describe("requests that next-auth would answer with 500", () => {
  test.each(["%00", "http%3A%2F%2F", "javascript%3Aalert(1)", "t%2Facme"])(
    "400 for a callbackUrl that is not an address: %s",
    async (url) => {
      expect(await outcomeOf(`session?callbackUrl=${url}`)).toBe(400);
      const headers = { cookie: `next-auth.callback-url=${url}` };
      expect(await outcomeOf("session", { headers })).toBe(400);
    },
  );

  test.each(["{", "null", "5", '"text"', ""])(
    "400 for a body that is not an object: %s",
    async (body) => {
      expect(await outcomeOf("callback/credentials", json(body))).toBe(400);
    },
  );

  test.each(["callback/credentials", "callback/switch", "callback", "error?error=%E2%80%AE"])(
    "redirects to sign-in from %s, which is opened like a page",
    async (path) => {
      for (const method of ["GET", "HEAD"])
        expect(await outcomeOf(path, { method })).toMatch(/^NEXT_REDIRECT \w+ \/sign-in$/);
    },
  );
});

test.each(["", "/t/acme?a=b", "http://localhost:3000/t/acme"])(
  "next-auth answers when callbackUrl is %s",
  async (url) => {
    const query = `callbackUrl=${encodeURIComponent(url)}`;
    expect(await outcomeOf(`signin?${query}`)).toBe("next-auth");
    expect(await outcomeOf(`callback/credentials?${query}`, json("{}"))).toBe("next-auth");
  },
);

test.each(["ada\0", "ada\u2028", "x".repeat(513)])(
  "a login that nobody can have is answered like an unknown one, and the store is not asked: %j",
  async (login) => {
    const [byPassword] = authOptions().providers;
    const { authorize } = Reflect.get(Object(byPassword), "options");
    const given = { tenant: "acme", login, password: "correct horse battery" };
    const rejected = await authorize(given).catch(({ message }: Error) => JSON.parse(message));
    expect(rejected.code).toBe("auth.login-failed");
  },
);
