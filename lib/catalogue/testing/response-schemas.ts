import { Ajv2020 } from "ajv/dist/2020.js";
import type { Answered } from "@/lib/http/testing/test-server";
import type { DocumentNode as Schema } from "./document-node";

/** Checks responses against the OpenAPI document: status, media type and body. */
export class ResponseSchemas {
  readonly #document: Schema;
  readonly #ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: false });

  constructor(document: Schema) {
    this.#document = document;
    this.#ajv.addSchema(document, "openapi");
  }

  #pointTo(path: string[]): string {
    const parts = path.map((part) => part.replaceAll("~", "~0").replaceAll("/", "~1"));
    return `openapi#/${parts.map(encodeURIComponent).join("/")}`;
  }

  /** The problem of a response of the operation at a path, else undefined. */
  problemOf(template: string, method: string, answered: Answered): string | undefined {
    const { status, headers, text, body } = answered;
    const at = ["paths", template, method, "responses", String(status)];
    const declared: Schema = at.reduce((node: Schema, name) => node?.[name], this.#document);
    if (!declared) return `${status} is not described`;
    const [, , kind, name] = declared.$ref?.split("/") ?? [];
    const path = name ? ["components", kind, name] : at;
    const response: Schema = name ? this.#document.components[kind][name] : declared;
    const [type = ""] = (headers.get("content-type") ?? "").split(";");
    if (text === "") return undefined;
    if (!response.content?.[type]) return `${status} has the media type ${type}`;
    if (body === undefined) return undefined;
    const isValid = this.#ajv.getSchema(this.#pointTo([...path, "content", type, "schema"]));
    if (!isValid) return `${status} has no schema for ${type}`;
    if (isValid(body)) return undefined;
    return `${status} does not match its schema: ${this.#ajv.errorsText(isValid.errors)}`;
  }
}
