/** The style properties from style sheets that the copy of a chart needs inline. */
const looks = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-opacity",
  "stroke-dasharray",
  "opacity",
  "font-size",
  "text-anchor",
];
const namespace = "http://www.w3.org/2000/svg";
const space = 16;
const titleHeight = 28;
/** Pixels of the picture per point of the screen. */
const density = 2;
const font = "system-ui, sans-serif";

export interface ChartLegend {
  label: string;
  color: string;
  dash: string;
}

export interface ImageOfChart {
  title: string;
  svg: SVGSVGElement;
  legend: ChartLegend[];
}

function element(name: string, attributes: Record<string, string | number>, text = ""): SVGElement {
  const created = document.createElementNS(namespace, name);
  for (const [key, value] of Object.entries(attributes)) created.setAttribute(key, String(value));
  created.textContent = text;
  return created;
}

/** A copy that looks the same without the page around it. */
function standalone(svg: SVGSVGElement): SVGElement {
  const copy = svg.cloneNode(true) as SVGElement;
  const copies = copy.querySelectorAll<SVGElement>("*");
  for (const [index, original] of svg.querySelectorAll<SVGElement>("*").entries()) {
    const computed = getComputedStyle(original);
    for (const look of looks)
      copies[index]?.style.setProperty(look, computed.getPropertyValue(look));
  }
  copy.setAttribute("font-family", font);
  copy.style.setProperty("overflow", "visible");
  return copy;
}

const pen = document.createElement("canvas").getContext("2d");

function widthOf(text: string, size: number, weight = 400): number {
  if (!pen) return text.length * size;
  pen.font = `${weight} ${size}px ${font}`;
  return pen.measureText(text).width;
}

/** A short line, the name, and the space before the next one. */
const neededFor = ({ label }: { label: string }) => 24 + widthOf(label, 12) + 16;

interface LegendPlace {
  x: number;
  y: number;
  width: number;
  ink: CSSStyleDeclaration;
}

/** Names in a row, each after a piece of its line; a full row wraps. Returns the height they take. */
function addLegend(
  into: SVGElement,
  legend: ChartLegend[],
  { x, y, width, ink }: LegendPlace,
): number {
  let [left, top] = [x, y];
  for (const { label, color, dash } of legend) {
    const needed = neededFor({ label });
    if (left > x && left + needed > x + width) [left, top] = [x, top + 20];
    const stroke = color.startsWith("var(") ? ink.getPropertyValue(color.slice(4, -1)) : color;
    into.append(
      element("line", {
        x1: left,
        x2: left + 18,
        y1: top,
        y2: top,
        stroke,
        "stroke-width": 2.5,
        "stroke-dasharray": dash,
      }),
    );
    into.append(
      element(
        "text",
        { x: left + 24, y: top + 4, fill: ink.color, "font-size": 12, "font-family": font },
        label,
      ),
    );
    left += needed;
  }
  return legend.length === 0 ? 0 : top - y + 24;
}

/** The charts as the page shows them now: side by side if two fit, on a canvas as wide as the widest text. */
function drawing(
  heading: string,
  charts: ImageOfChart[],
): { text: string; width: number; height: number } {
  const widest = Math.max(...charts.map(({ svg }) => svg.clientWidth));
  const texts = [
    widthOf(heading, 16, 600),
    ...charts.flatMap(({ legend }) => legend.map(neededFor)),
  ];
  const width = Math.ceil(Math.max(widest, ...texts)) + 2 * space;
  const ink = getComputedStyle(document.body);
  const root = element("svg", { xmlns: namespace, width });
  const paper = element("rect", { width: "100%", height: "100%", fill: ink.backgroundColor });
  root.append(paper);
  const title = { fill: ink.color, "font-weight": 600, "font-family": font };
  root.append(element("text", { ...title, x: space, y: space + 14, "font-size": 16 }, heading));
  let [x, y] = [space, space + 14 + space];
  let bottom = y;
  for (const { title: name, svg, legend } of charts) {
    if (x > space && x + svg.clientWidth > space + widest) [x, y] = [space, bottom];
    root.append(element("text", { ...title, x, y: y + 14, "font-size": 14 }, name));
    const copy = standalone(svg);
    for (const [key, value] of Object.entries({
      x,
      y: y + titleHeight,
      width: svg.clientWidth,
      height: svg.clientHeight,
    }))
      copy.setAttribute(key, String(value));
    root.append(copy);
    const below = y + titleHeight + svg.clientHeight + 12;
    bottom = Math.max(
      bottom,
      below + addLegend(root, legend, { x, y: below, width: svg.clientWidth, ink }) + space,
    );
    x += svg.clientWidth + space;
  }
  root.setAttribute("height", String(bottom));
  return { text: new XMLSerializer().serializeToString(root), width, height: bottom };
}

async function pictureOf(text: string): Promise<HTMLImageElement> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  return image;
}

/** One PNG of all the charts. */
export async function chartImage(heading: string, charts: ImageOfChart[]): Promise<Blob> {
  const { text, width, height } = drawing(heading, charts);
  const image = await pictureOf(text);
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [width * density, height * density];
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) =>
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error("The charts cannot be drawn here."))),
      "image/png",
    ),
  );
}
