import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { sentences } from "@/lib/features/audit/sentences";
import { eventTypes } from "@/lib/features/events/catalogue";
import { pageOf, Sentence } from "./sentence";

type Told = Parameters<typeof Sentence>[0]["event"];

const place = (...permissions: string[]) => ({ tenant: "acme", permissions });
const textOf = (event: Told) =>
  renderToStaticMarkup(createElement(Sentence, { event, place: place() })).replace(/<[^>]+>/g, "");

const rotated: Told = {
  action: "api-key.rotated",
  actor: { type: "user", id: "usr_ana", login: "ana" },
  target: { type: "api-key", id: "key_1", name: "ci-eu" },
  result: "success",
};

test("every recorded action has a sentence, and every sentence an action", () => {
  expect(Object.keys(sentences).toSorted()).toEqual(eventTypes.map(({ type }) => type).toSorted());
});

test("an entry is a sentence with names, and says when it failed", () => {
  expect(textOf(rotated)).toBe("ana rotated the API key ci-eu");
  expect(textOf({ ...rotated, result: "failure" })).toBe("ana rotated the API key ci-eu, failed");
  const actor = { type: "system", id: "alerts" } as const;
  expect(textOf({ ...rotated, actor })).toBe("The service rotated the API key ci-eu");
});

test("an action of a later release is shown as its code", () => {
  expect(textOf({ ...rotated, action: "moon.landed" })).toBe("moon.landed ci-eu");
});

test("a name links to its page for users who may open it", () => {
  const user = { type: "user", id: "usr_ana" };
  const preview = { type: "preview", id: "prv_1", name: "eu-store/home" };
  expect(pageOf(place("user.read"), user)).toBe("/t/acme/users/usr_ana");
  expect(pageOf(place("preview.configuration.read"), preview)).toBe(
    "/t/acme/sites/eu-store/previews/home",
  );
  expect([pageOf(place(), user), pageOf(place(), preview)]).toEqual([undefined, undefined]);
});
