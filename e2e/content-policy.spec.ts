import { expect, test } from "./support/portal";

test.use({ tolerated: [/Content Security Policy/] });

test("a script injected into a page does not run", async ({ page }) => {
  await page.goto("/sign-in");
  const ran = await page.evaluate(async () => {
    const inline = document.createElement("script");
    inline.textContent = "window.smuggled = 'inline'";
    document.body.append(inline);
    document.body.insertAdjacentHTML(
      "beforeend",
      `<img alt="" src="data:," onerror="window.smuggled = 'handler'">`,
    );
    const image = document.body.lastElementChild;
    // Listeners run in order: the handler would have run before.
    await new Promise((resolve) => image?.addEventListener("error", resolve));
    return (window as { smuggled?: string }).smuggled;
  });
  expect(ran).toBeUndefined();
});
