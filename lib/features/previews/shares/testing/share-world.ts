import { configurationOf, makeEditor } from "@/lib/features/previews/testing/preview-world";
import type { Send } from "@/lib/http/testing/test-server";

type Headers = Record<string, string>;

const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();

/** An editor of a separate tenant with the configurations `home` and `sale`, and actions on shares of `home`. */
export async function makeSharer(send: Send) {
  const editor = await makeEditor();
  const headers = editor.session;
  const previews = configurationOf(send, headers);
  await previews.create("home", { title: "Home" });
  await previews.create("sale", { title: "Sale" });
  const place = { "X-Service-Tenant": editor.tenant, "X-Service-Site": "one" };
  const exchange = (token: string, key = "home", more: Headers = {}) =>
    send(`POST /pim/preview/${key}/shares/exchange`, {
      headers: { ...place, ...more },
      body: { token },
    });
  const create = (body: object = {}) =>
    send("POST /pim/preview/home/shares", {
      headers,
      body: { validTo: inMs(3_600_000), ...body },
    });
  return {
    ...editor,
    headers,
    previews,
    place,
    exchange,
    create,
    revoke: (id: string) => send(`DELETE /pim/preview/home/shares/${id}`, { headers }),
    list: () => send("GET /pim/preview/home/shares", { headers }),
    /** An exchanged share: its id, the token of its link and the headers of its visitor's requests. */
    async visitor() {
      const { body } = await create();
      const token: string = new URL(body.url).hash.replace("#token=", "");
      const exchanged = await exchange(token);
      const share: string = exchanged.body.accessToken;
      return {
        id: body.id as string,
        token,
        headers: { ...place, "X-Service-Preview-Share": share },
      };
    },
  };
}

export type Sharer = Awaited<ReturnType<typeof makeSharer>>;
