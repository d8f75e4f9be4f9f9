"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { CallError } from "@/lib/catalogue/client";
import { type Draft, draftName, forgetDraft, keepDraft, readDraft } from "./draft";
import { listKey, type PreviewDocument } from "./keys";
import { usePreviewDocument } from "./preview-queries";
import { asStored, type LineStyle, lineStyleOf, readable } from "./printed-json";

interface Edited extends Draft {
  /** Whether edits of an earlier visit have been read from the device. */
  isLoaded: boolean;
  wasRestored: boolean;
  isKept: boolean;
}

const asBase = ({ text, etag }: Draft["base"]) => ({ text, etag });

/** One text with its unsaved edits, stored on the device from the first keystroke until they are saved. */
function useKeptText(server: PreviewDocument, name: string) {
  const [edited, setEdited] = useState<Edited>({
    base: asBase(server),
    text: server.text,
    isLoaded: false,
    wasRestored: false,
    isKept: true,
  });
  const { base, text, isLoaded } = edited;
  const isDirty = text !== base.text;

  useEffect(() => {
    const draft = readDraft(name);
    setEdited((now) => ({ ...now, ...draft, isLoaded: true, wasRestored: draft !== undefined }));
  }, [name]);

  useEffect(() => {
    if (!isLoaded) return;
    if (isDirty) {
      const isKept = keepDraft(name, { base, text });
      setEdited((now) => (now.isKept === isKept ? now : { ...now, isKept }));
    } else forgetDraft(name);
  }, [name, isLoaded, isDirty, base, text]);

  // Without edits the page follows the changes of other users.
  useEffect(() => {
    setEdited((now) =>
      now.isLoaded && now.text === now.base.text && now.base.etag !== server.etag
        ? { ...now, base: asBase(server), text: server.text }
        : now,
    );
  }, [server]);

  return { edited, setEdited, isDirty };
}

type KeptText = ReturnType<typeof useKeptText>;

interface SaveOptions {
  site: string;
  key: string;
  server: PreviewDocument;
  /** The style of the stored text, if it is one line. */
  style: LineStyle | undefined;
  setEdited: KeptText["setEdited"];
  /** Called when another user saved first and their version is loaded. */
  onConflict: () => void;
}

/** Saves the text unless another user has saved in the meantime. */
function useSave({ site, key, server, style, setEdited, onConflict }: SaveOptions) {
  const { view, call, exchangeText } = usePortal();
  const queries = useQueryClient();
  const options = usePreviewDocument(site, key);
  return useMutation({
    mutationFn: async ({
      text,
      etag,
    }: {
      text: string;
      etag: string;
    }): Promise<PreviewDocument> => {
      const stored = asStored(text, style);
      const written = await exchangeText("PUT /pim/preview/{key}/configuration", {
        site,
        params: { key },
        text: stored,
        etag,
      });
      const preview = await call("GET /pim/preview/{key}", { site, params: { key } }).catch(
        () => server.preview,
      );
      return { preview, text: stored, etag: written.etag };
    },
    onSuccess: (saved, { text }) => {
      queries.setQueryData(options.queryKey, saved);
      setEdited((now) => ({ ...now, base: { text, etag: saved.etag }, wasRestored: false }));
      void queries.invalidateQueries({ queryKey: listKey(view.tenant, site) });
    },
    onError: async (error) => {
      if (!(error instanceof CallError && error.code === "precondition.failed")) return;
      await queries.fetchQuery({ ...options, staleTime: 0 });
      onConflict();
    },
  });
}

/** The document in the editor: its text, saving it, and resolving a conflict. */
export function useEditedDocument(site: string, key: string, stored: PreviewDocument) {
  const { view } = usePortal();
  const style = useMemo(() => lineStyleOf(stored.text), [stored.text]);
  const server = useMemo(
    () => ({ ...stored, text: readable(stored.text, style) }),
    [stored, style],
  );
  const [isMerging, setIsMerging] = useState(false);
  const { edited, setEdited, isDirty } = useKeptText(
    server,
    draftName(view.tenant, view.user.id, site, key),
  );
  const onConflict = () => setIsMerging(true);
  const save = useSave({ site, key, server, style, setEdited, onConflict });
  const change = (text: string) => setEdited((now) => ({ ...now, text }));
  const isBehind = isDirty && edited.base.etag !== server.etag;
  return {
    ...edited,
    /** The stored text, as it is shown. */
    served: server.text,
    isDirty,
    isBehind,
    isMerging: isMerging && isBehind,
    save,
    change,
    discard: () =>
      setEdited((now) => ({ ...now, base: asBase(server), text: server.text, wasRestored: false })),
    startMerge: () => setIsMerging(true),
    /** Continues from the other version with the merged text, and saves it. */
    takeMerged: (text: string) => {
      setIsMerging(false);
      setEdited((now) => ({ ...now, base: asBase(server), text, wasRestored: false }));
      if (text !== server.text) save.mutate({ text, etag: server.etag });
    },
    stopMerge: () => setIsMerging(false),
  };
}

export type EditedDocument = ReturnType<typeof useEditedDocument>;
