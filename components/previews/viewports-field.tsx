"use client";

import { findNodeAtLocation } from "jsonc-parser";
import { Plus, X } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import type { FormPart } from "./form-view";
import { memberOf, setValue } from "./json-document";

const isNumber = (typed: string) => /^[1-9]\d{0,5}$/.test(typed);

/** The sizes in which the configuration wants to be looked at. Items keep their bytes when others come and go. */
export function ViewportsField({ text, root, problemOf, onChange, readOnly }: FormPart) {
  const node = findNodeAtLocation(root, ["viewports"]);
  const value = memberOf(root, "viewports");
  const items = (node?.type === "array" && node.children) || [];
  const texts = items.map(({ offset, length }) => text.slice(offset, offset + length));
  const write = (next: string[]) =>
    onChange(setValue(text, ["viewports"], next.length > 0 ? `[${next.join(", ")}]` : undefined));
  const error = problemOf("viewports");
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-body font-medium">Viewports</legend>
      {node && node.type !== "array" ? (
        <p className="text-muted">Correct the list in the JSON view.</p>
      ) : null}
      <ul className="flex flex-col gap-2">
        {items.map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a viewport has no name of its own, its place is what it is.
          <li key={index} className="flex items-center gap-2">
            {item.type === "object" ? (
              <ViewportInputs
                index={index}
                value={Array.isArray(value) ? value[index] : {}}
                text={text}
                onChange={onChange}
              />
            ) : (
              <code className="flex-1 truncate text-meta">{texts[index]}</code>
            )}
            <Button
              tone="quiet"
              size="icon"
              aria-label={`Remove viewport ${index + 1}`}
              onClick={() => write(texts.filter((_, other) => other !== index))}
            >
              <X aria-hidden="true" className="size-4" />
            </Button>
          </li>
        ))}
      </ul>
      {error ? <p className="mt-1.5 text-danger">{error}</p> : null}
      {readOnly || (node && node.type !== "array") ? null : (
        <Button
          size="small"
          tone="quiet"
          className="mt-1.5"
          icon={<Plus aria-hidden="true" className="size-3.5" />}
          onClick={() => write([...texts, '{ "width": 390 }'])}
        >
          Add viewport
        </Button>
      )}
    </fieldset>
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
        aria-label={`Name of viewport ${index + 1}`}
        placeholder="Name"
        value={shown("name")}
        onChange={(event) =>
          set("name", event.target.value === "" ? undefined : JSON.stringify(event.target.value))
        }
      />
      {["width", "height"].map((name) => (
        <Input
          key={name}
          aria-label={`${name === "width" ? "Width" : "Height"} of viewport ${index + 1}`}
          placeholder={name === "width" ? "Width" : "Height"}
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
