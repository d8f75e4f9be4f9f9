import { expectMenu, expectPalette } from "./support/entries";
import { credentialsOf, signedIn, test } from "./support/portal";

/** The entries that the portal shows for each kind of role; `system` has a separate test. */
const menus = {
  adm: [
    "Home",
    "Metrics",
    "Alerts",
    "Requests",
    "Users",
    "API keys",
    "Access review",
    "Your details",
    "Previews",
    "Releases",
    "Customers",
    "Webhooks",
    "Streams",
    "Audit",
    "Settings",
  ],
  um: ["Home", "Requests", "Users", "API keys", "Access review", "Your details", "Audit"],
  um1: ["Home", "Users", "Access review", "Your details"],
  ana: ["Home", "Metrics", "Alerts", "Your details"],
  pim: ["Home", "Your details", "Previews", "Releases"],
  care: ["Home", "Your details", "Customers"],
  low: ["Home", "Your details"],
} satisfies Record<string, string[]>;

for (const [name, entries] of Object.entries(menus) as [keyof typeof menus, string[]][]) {
  test.describe(name, () => {
    test.use({ storageState: async ({}, use) => use(signedIn(name)) });

    test("every entry of the menu leads to its page, and the palette has the same ones", async ({
      page,
      world,
    }) => {
      await page.goto(`/t/${credentialsOf(world, name).tenant}`);
      await expectMenu(page, entries);
      // An entry leads to the same page for every user, so only the user who has all entries follows them.
      await expectPalette(page, entries, { isFollowed: name === "adm" });
    });
  });
}
