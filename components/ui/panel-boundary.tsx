"use client";

import { Component, type ReactNode } from "react";
import { t } from "@/components/texts/t";

interface PanelBoundaryProps {
  children: ReactNode;
}

/** Next navigates and answers 404 by throwing errors, which a panel must not catch. */
function isOfNext(error: unknown): boolean {
  const digest: unknown =
    typeof error === "object" && error !== null ? Reflect.get(error, "digest") : undefined;
  return typeof digest === "string" && /^(NEXT_|BAILOUT_|DYNAMIC_)/.test(digest);
}

/** An error boundary for a part of a page: the rest keeps working, and the part can be retried. */
export class PanelBoundary extends Component<PanelBoundaryProps, { isFailed: boolean }> {
  override state = { isFailed: false };

  static getDerivedStateFromError(error: unknown) {
    if (isOfNext(error)) throw error;
    return { isFailed: true };
  }

  override render() {
    if (!this.state.isFailed) return this.props.children;
    return (
      <div role="alert" className="m-3 rounded-control bg-danger-bg px-3 py-2.5 text-body">
        <p className="font-medium text-danger">{t("This part could not be shown")}</p>
        <p>{t("The rest of the page works, and nothing was changed.")}</p>
        <button
          type="button"
          onClick={() => this.setState({ isFailed: false })}
          className="mt-2 h-7 rounded-control border border-border-strong bg-bg px-2 font-medium hover:bg-subtle"
        >
          {t("Try again")}
        </button>
      </div>
    );
  }
}
