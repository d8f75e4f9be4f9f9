import { configurationOf, makeEditor } from "@/lib/features/previews/testing/preview-world";
import type { Send } from "@/lib/http/testing/test-server";

/** One configuration goes live, the other is staged. */
export const both = { entries: [{ key: "home" }, { key: "sale", stage: "staged" }] };

/** An editor of a separate tenant with actions on releases at site `one`. */
export async function makeReleaser(send: Send) {
  const editor = await makeEditor();
  const headers = editor.session;
  const previews = configurationOf(send, headers);
  const at = (path: string) => `/pim/releases${path}`;
  const create = (body: object) =>
    send(`POST ${at("")}`, { headers, body: { name: "Winter", ...body } });
  return {
    ...editor,
    headers,
    previews,
    /** Configurations of these keys at the stage draft. */
    draft: async (...keys: string[]) => {
      for (const key of keys) await previews.create(key, { title: key, stage: "draft" });
    },
    /** The stage of each. */
    stages: async (...keys: string[]): Promise<string[]> =>
      Promise.all(keys.map(async (key) => (await previews.get(key)).body.stage)),
    create,
    /** Creates a release and returns its id. */
    made: async (body: object = both): Promise<string> => {
      const created = await create(body);
      if (created.status !== 201) throw new Error(created.text);
      return created.body.id;
    },
    show: (id: string) => send(`GET ${at(`/${id}`)}`, { headers }),
    publish: (id: string, body?: object) =>
      send(`POST ${at(`/${id}/publish`)}`, { headers, ...(body && { body }) }),
    cancel: (id: string) => send(`POST ${at(`/${id}/cancel`)}`, { headers }),
    change: (id: string, body: object, more: Record<string, string> = {}) =>
      send(`PATCH ${at(`/${id}`)}`, { headers: { ...headers, ...more }, body }),
    remove: (id: string, more: Record<string, string> = {}) =>
      send(`DELETE ${at(`/${id}`)}`, { headers: { ...headers, ...more } }),
  };
}

export type Releaser = Awaited<ReturnType<typeof makeReleaser>>;
