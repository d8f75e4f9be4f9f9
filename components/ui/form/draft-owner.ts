"use client";

import { createContext } from "react";

/** Whose drafts are kept: one person in one tenant, or a visitor who is not signed in. */
export const DraftOwner = createContext("public");
