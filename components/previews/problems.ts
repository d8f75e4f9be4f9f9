"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { CallError } from "@/lib/catalogue/client";
import type { PreviewProblem } from "@/lib/protocol/documents/preview";
import { lineAt, nodeAt, type Parsed, parseDocument } from "./json-document";
import { problemsKey } from "./keys";

/** A problem at its place in the text. */
export interface PlacedProblem extends PreviewProblem {
  offset: number;
  length: number;
  line: number;
  /** Whether it prevents saving. */
  isFatal: boolean;
}

const quietMs = 500;

/** Debounces a value. */
function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), quietMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

/** The problems that the service rejects although the text parses here, such as a duplicate field. */
function rejectionOf(error: Error | null): PreviewProblem[] {
  const isRejected = error instanceof CallError && error.code === "request.invalid-json";
  return isRejected ? [{ pointer: error.reason ?? "", detail: error.message }] : [];
}

function placed(
  text: string,
  { root, fault }: Parsed,
  problems: PreviewProblem[],
  isFatal: boolean,
): PlacedProblem[] {
  if (fault)
    return [
      {
        pointer: "",
        detail: fault.detail,
        offset: fault.offset,
        length: 1,
        line: lineAt(text, fault.offset),
        isFatal: true,
      },
    ];
  if (!root) return [];
  return problems.map((problem) => {
    const { offset, length } =
      problem.pointer === "" ? { offset: 0, length: 1 } : nodeAt(root, problem.pointer);
    return { ...problem, offset, length, line: lineAt(text, offset), isFatal };
  });
}

/** The text as a tree, and its problems from the service's dry run, each at its line. Read-only users see those of the stored text. */
export function useProblems(
  site: string,
  text: string,
  mayWrite: boolean,
  stored: PreviewProblem[],
) {
  const { view, exchangeText } = usePortal();
  const parsed = useMemo(() => parseDocument(text), [text]);
  const settled = useSettled(text);
  const { data, error } = useQuery({
    queryKey: problemsKey(view.tenant, site, settled),
    queryFn: async ({ signal }): Promise<PreviewProblem[]> =>
      JSON.parse(
        (await exchangeText("POST /pim/preview/validate", { site, text: settled, signal })).text,
      ).problems,
    enabled: mayWrite && settled === text && parsed.root !== undefined,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 30_000,
    retry: false,
  });
  const problems = useMemo(() => {
    const rejections = rejectionOf(error);
    return rejections.length > 0
      ? placed(text, parsed, rejections, true)
      : placed(text, parsed, data ?? stored, false);
  }, [text, parsed, data, error, stored]);
  return { root: parsed.root, problems };
}
