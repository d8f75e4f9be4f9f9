const byId = (id) => document.getElementById(id);
const text = (value, otherwise = "") => (typeof value === "string" ? value : otherwise);
const asked = new URLSearchParams(location.search);

function showProducts(products) {
  const items = Array.isArray(products) ? products.slice(0, 12) : [];
  byId("products").replaceChildren(
    ...items.map((product, index) => {
      const item = document.createElement("li");
      item.dataset.previewPointer = `/products/${index}`;
      const name = document.createElement("strong");
      name.textContent = text(product?.name, "Unnamed");
      item.append(name, text(product?.price));
      return item;
    }),
  );
}

function stateOf({ enabled, stage, effectiveAt }) {
  if (enabled === false) return "Not enabled: shoppers do not see this page";
  if (stage !== undefined && stage !== "live")
    return `${text(stage, "Unknown stage")}: shoppers do not see this yet`;
  const from = typeof effectiveAt === "string" ? new Date(effectiveAt) : undefined;
  return from && from > new Date() ? `Seen by shoppers from ${from.toUTCString()}` : "";
}

/** Draws the page that a configuration describes. */
function show(configuration) {
  const hero = configuration.hero ?? {};
  document.title = text(configuration.title, "Sample storefront");
  document.documentElement.dataset.tone = text(hero.tone, "sea");
  document.documentElement.lang = asked.get("locale") || "en";
  byId("where").textContent = [asked.get("entityType"), asked.get("slug"), asked.get("locale")]
    .filter(Boolean)
    .join(" / ");
  byId("headline").textContent = text(
    hero.headline,
    text(configuration.title, "Sample storefront"),
  );
  byId("text").textContent = text(hero.text);
  byId("state").textContent = stateOf(configuration);
  byId("state").hidden = byId("state").textContent === "";
  showProducts(configuration.products);
}

// Within a preview the configuration is about to arrive.
const advice =
  parent === window ? "Open it in a preview: it shows what the configuration says." : "";
show({ hero: { text: advice } });

addEventListener("message", ({ source, data }) => {
  const isPreview = source === parent && data?.kind === "preview-configuration";
  if (isPreview && typeof data.configuration === "object" && data.configuration !== null)
    show(data.configuration);
});

// A click tells the preview which field the element is made from.
addEventListener("click", ({ target }) => {
  const marked = target instanceof Element && target.closest("[data-preview-pointer]");
  if (marked && parent !== window)
    parent.postMessage({ kind: "preview-element", pointer: marked.dataset.previewPointer }, "*");
});
