"use client";

import { findNodeAtLocation, type Node } from "jsonc-parser";
import { Plus, X } from "lucide-react";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/form/field";
import { type FormPart, readValue, setValue } from "./json-document";

const isNumber = (typed: string) => /^[1-9]\d{0,5}$/.test(typed);

/** The viewport sizes of the configuration. Items keep their bytes when others are added or removed. */
export function ViewportsField({ text, root, problemOf, onChange, readOnly }: FormPart) {
  const node = findNodeAtLocation(root, ["viewports"]);
  const isList = node === undefined || node.type === "array";
  const items = (node?.type === "array" && node.children) || [];
  const texts = items.map(({ offset, length }) => text.slice(offset, offset + length));
  const write = (next: string[]) =>
    onChange(setValue(text, ["viewports"], next.length > 0 ? `[${next.join(", ")}]` : undefined));
  const error = problemOf("viewports");
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-body font-medium">{t("Viewports")}</legend>
      {isList ? null : <p className="text-muted">{t("Correct the list in the JSON view.")}</p>}
      {items.length > 0 ? (
        <p aria-hidden="true" className="mb-1 flex gap-2 pe-10 text-meta text-muted">
          <span className="flex-1">{t("Name")}</span>
          <span className="w-24">{t("Width")}</span>
          <span className="w-24">{t("Height")}</span>
        </p>
      ) : null}
      <ul className="flex flex-col gap-2">
        {items.map((item, index) => (
          <Viewport
            key={placeOf(index)}
            item={item}
            index={index}
            text={text}
            onChange={onChange}
            onRemove={() => write(texts.filter((_, other) => other !== index))}
          />
        ))}
      </ul>
      {error ? <p className="mt-1.5 text-danger">{error}</p> : null}
      {readOnly || !isList ? null : (
        <Button
          size="small"
          tone="quiet"
          className="mt-1.5"
          icon={<Plus aria-hidden="true" className="size-3.5" />}
          onClick={() => write([...texts, '{ "width": 390 }'])}
        >
          {t("Add viewport")}
        </Button>
      )}
    </fieldset>
  );
}

/** A viewport has no id: it is identified by its index in the list. */
const placeOf = (index: number) => `/viewports/${index}`;

interface ViewportProps {
  item: Node;
  index: number;
  text: string;
  onChange: (text: string) => void;
  onRemove: () => void;
}

function Viewport({ item, index, text, onChange, onRemove }: ViewportProps) {
  return (
    <li className="flex items-center gap-2">
      {item.type === "object" ? (
        <ViewportInputs
          index={index}
          value={readValue(item) as Record<string, unknown>}
          text={text}
          onChange={onChange}
        />
      ) : (
        <code className="flex-1 truncate text-meta">
          {text.slice(item.offset, item.offset + item.length)}
        </code>
      )}
      <Button
        tone="quiet"
        size="icon"
        aria-label={t("Remove viewport {index}", { index: index + 1 })}
        onClick={onRemove}
      >
        <X aria-hidden="true" className="size-4" />
      </Button>
    </li>
  );
}

interface ViewportInputsProps {
  index: number;
  value: Record<string, unknown>;
  text: string;
  onChange: (text: string) => void;
}

function ViewportInputs({ index, value, text, onChange }: ViewportInputsProps) {
  const shown = (name: string) =>
    value[name] === undefined
      ? ""
      : typeof value[name] === "object"
        ? JSON.stringify(value[name])
        : String(value[name]);
  const set = (name: string, json: string | undefined) =>
    onChange(setValue(text, ["viewports", index, name], json));
  return (
    <>
      <Input
        aria-label={t("Name of viewport {index}", { index: index + 1 })}
        placeholder={t("Name")}
        value={shown("name")}
        onChange={(event) =>
          set("name", event.target.value === "" ? undefined : JSON.stringify(event.target.value))
        }
      />
      {["width", "height"].map((name) => (
        <Input
          key={name}
          aria-label={
            name === "width"
              ? t("Width of viewport {index}", { index: index + 1 })
              : t("Height of viewport {index}", { index: index + 1 })
          }
          placeholder={name === "width" ? t("Width") : t("Height")}
          inputMode="numeric"
          className="figures max-w-24"
          value={shown(name)}
          onChange={({ target }) =>
            (target.value === "" || isNumber(target.value)) && set(name, target.value || undefined)
          }
        />
      ))}
    </>
  );
}
