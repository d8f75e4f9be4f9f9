"use client";

import type { Node } from "jsonc-parser";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { t } from "@/components/texts/t";
import { Field, Input } from "@/components/ui/form/field";
import { Segmented } from "@/components/ui/form/segmented";
import { expandTemplate, isFrameable } from "@/lib/features/previews/url-template";
import { propertyOf, readValue } from "./json-document";

const usualWidths = [390, 768, 1280];
const frameHeight = 640;

function widthsOf(root: Node | undefined): number[] {
  const viewports = root && propertyOf(root, "viewports");
  const own = Array.isArray(viewports) ? viewports.map((one) => Number(one?.width)) : [];
  const usable = own.filter((width) => Number.isInteger(width) && width >= 200 && width <= 4096);
  return [...new Set([...usualWidths, ...usable])].sort((a, b) => a - b).slice(0, 8);
}

const samplePath = "/sample-storefront/";

const unchanging = () => () => undefined;

/** The origin of this page: the configured one until the browser's is known. */
function useOwnOrigin(origin: string): string {
  return useSyncExternalStore(
    unchanging,
    () => window.location.origin,
    () => origin,
  );
}

/** Replaces the origin of a local server's sample storefront by this page's: the port may have changed since it was saved. */
function atOwnOrigin(address: string, origin: string): string {
  const { hostname, origin: written, pathname, search } = new URL(address);
  const isOurs = written === origin || hostname === "localhost" || hostname === "127.0.0.1";
  return isOurs && pathname.startsWith(samplePath) ? origin + pathname + search : address;
}

function useWidth() {
  const place = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!place.current) return;
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0));
    observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  return { place, width };
}

interface Variables {
  entityType: string;
  slug: string;
  locale: string;
}

/** The values of the template's variables; the locale is the configuration's first until another is typed. */
function useVariables(root: Node | undefined) {
  const [given, setGiven] = useState<Partial<Variables>>({});
  const locales = root && propertyOf(root, "locales");
  const first = Array.isArray(locales) && typeof locales[0] === "string" ? locales[0] : "en";
  const variables: Variables = { entityType: "page", slug: "home", locale: first, ...given };
  return { variables, change: (part: Partial<Variables>) => setGiven({ ...given, ...part }) };
}

/** The address of urlTemplate; undefined when nothing can be shown. */
function useAddress(
  root: Node | undefined,
  variables: Variables,
  origin: string,
): string | undefined {
  const template = root && propertyOf(root, "urlTemplate");
  const address = typeof template === "string" ? expandTemplate(template, { ...variables }) : "";
  return address && isFrameable(address) ? atOwnOrigin(address, origin) : undefined;
}

interface LiveFrameProps {
  root: Node | undefined;
  /** The product's own address. */
  origin: string;
  /** Called with the JSON Pointer of the clicked element of the page. */
  onPick?: ((pointer: string) => void) | undefined;
}

/** The page of urlTemplate in a sandboxed frame, at the width of a device. */
export function LiveFrame({ root, origin: written, onPick }: LiveFrameProps) {
  const [width, setWidth] = useState("390");
  const { variables, change } = useVariables(root);
  const origin = useOwnOrigin(written);
  const address = useAddress(root, variables, origin);
  const { entityType, slug, locale } = variables;
  return (
    <section aria-label={t("Live frame")} className="flex min-w-0 flex-col gap-3 p-4">
      <div className="grid grid-cols-3 gap-2">
        <Variable
          label={t("Entity type")}
          value={entityType}
          onChange={(next) => change({ entityType: next })}
        />
        <Variable label={t("Slug")} value={slug} onChange={(next) => change({ slug: next })} />
        <Variable
          label={t("Locale")}
          value={locale}
          onChange={(next) => change({ locale: next })}
        />
      </div>
      <Segmented
        legend={t("Width")}
        name="frame-width"
        options={widthsOf(root).map((one) => ({ value: String(one), label: String(one) }))}
        value={width}
        onChange={setWidth}
      />
      {address ? (
        <Frame
          address={address}
          isSample={address.startsWith(origin + samplePath)}
          width={Number(width)}
          root={root}
          onPick={onPick}
        />
      ) : (
        <p className="rounded-card border border-border bg-surface p-4 text-muted">
          {root && propertyOf(root, "urlTemplate") === undefined
            ? t("Set a URL template to see the page here.")
            : t("The URL template does not lead to a page that can be shown here.")}
        </p>
      )}
    </section>
  );
}

function Variable({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
}) {
  return (
    <Field label={label}>
      {(control) => (
        <Input {...control} value={value} onChange={(event) => onChange(event.target.value)} />
      )}
    </Field>
  );
}

interface FrameProps {
  address: string;
  /** The sample page receives the edited text; other pages read the saved text. */
  isSample: boolean;
  width: number;
  root: Node | undefined;
  onPick: LiveFrameProps["onPick"];
}

function Frame({ address, isSample, width, root, onPick }: FrameProps) {
  const { place, width: room } = useWidth();
  const { frame, send } = useFrameMessages(address, isSample ? root : undefined, onPick);
  const scale = room > 0 ? Math.min(1, room / width) : 1;
  return (
    <div
      ref={place}
      className="overflow-hidden rounded-card border border-border bg-surface"
      style={{ aspectRatio: `${width} / ${frameHeight}`, maxHeight: frameHeight }}
    >
      <iframe
        ref={frame}
        title={t("Preview at {width} pixels", { width })}
        src={address}
        sandbox="allow-scripts allow-forms"
        referrerPolicy="no-referrer"
        loading="lazy"
        onLoad={send}
        className="origin-top-left bg-white"
        style={{ width, height: frameHeight, scale: String(scale) }}
      />
    </div>
  );
}

const maxPointerLength = 1024;

/** The pointer of a click that the page reports; undefined for any other message. */
function pickedIn(data: unknown): string | undefined {
  if (typeof data !== "object" || data === null) return undefined;
  const { kind, pointer } = data as { kind?: unknown; pointer?: unknown };
  const isPick = kind === "preview-element" && typeof pointer === "string";
  return isPick && pointer.length <= maxPointerLength ? pointer : undefined;
}

/**
 * Sends the edited text to the page, and listens to its clicks. The sandbox gives the page an
 * opaque origin, so messages are checked by their source window.
 * @param root The text to send; undefined for other pages than the sample.
 */
function useFrameMessages(
  address: string,
  root: Node | undefined,
  onPick: LiveFrameProps["onPick"],
) {
  const frame = useRef<HTMLIFrameElement>(null);
  const send = () => {
    if (!root) return;
    const configuration = readValue(root);
    frame.current?.contentWindow?.postMessage(
      { kind: "preview-configuration", configuration },
      "*",
    );
  };
  useEffect(send);
  useEffect(() => {
    const hear = ({ source, data }: MessageEvent<unknown>) => {
      const pointer = source === frame.current?.contentWindow ? pickedIn(data) : undefined;
      if (pointer !== undefined && address) onPick?.(pointer);
    };
    window.addEventListener("message", hear);
    return () => window.removeEventListener("message", hear);
  }, [address, onPick]);
  return { frame, send };
}
