import alerts from "./de/alerts.json";
import apiKeys from "./de/api-keys.json";
import app from "./de/app.json";
import audit from "./de/audit.json";
import auditStreams from "./de/audit-streams.json";
import common from "./de/common.json";
import connections from "./de/connections.json";
import customers from "./de/customers.json";
import destinations from "./de/destinations.json";
import emailConfirmation from "./de/email-confirmation.json";
import errors from "./de/errors.json";
import forgotPassword from "./de/forgot-password.json";
import handOff from "./de/hand-off.json";
import home from "./de/home.json";
import lib from "./de/lib.json";
import mails from "./de/mails.json";
import metrics from "./de/metrics.json";
import passwordLinks from "./de/password-links.json";
import preferences from "./de/preferences.json";
import previews from "./de/previews.json";
import releases from "./de/releases.json";
import remedies from "./de/remedies.json";
import requestLog from "./de/request-log.json";
import secondFactors from "./de/second-factors.json";
import sessions from "./de/sessions.json";
import sharedPreview from "./de/shared-preview.json";
import shell from "./de/shell.json";
import signIn from "./de/sign-in.json";
import signUp from "./de/sign-up.json";
import tenants from "./de/tenants.json";
import ui from "./de/ui.json";
import users from "./de/users.json";
import views from "./de/views.json";
import webhooks from "./de/webhooks.json";
import type { Dictionary } from "./reader";
import type { Entry } from "./t";

type Catalogue = Record<string, Entry>;

/**
 * By area: the folder of components that shows the text; `common` where several do, `lib` what the API says, `errors` the titles of its codes, `remedies` what to
 * do about them, `mails` what only mails say.
 */
export const germanByArea: Record<string, Catalogue> = {
  alerts,
  "api-keys": apiKeys,
  app,
  audit,
  "audit-streams": auditStreams,
  common,
  connections,
  customers,
  destinations,
  "email-confirmation": emailConfirmation,
  errors,
  "forgot-password": forgotPassword,
  "hand-off": handOff,
  home,
  lib,
  mails,
  metrics,
  "password-links": passwordLinks,
  preferences,
  previews,
  releases,
  remedies,
  "request-log": requestLog,
  "second-factors": secondFactors,
  sessions,
  "shared-preview": sharedPreview,
  shell,
  "sign-in": signIn,
  "sign-up": signUp,
  tenants,
  ui,
  users,
  views,
  webhooks,
};

const { mails: _, remedies: __, ...ofPages } = germanByArea;

export const german: Dictionary = {
  entries: Object.assign({}, ...Object.values(ofPages)) as Catalogue,
  filled: Object.keys(lib).filter((key) => key.includes("{")),
};

/** Browsers do not load texts of mails and remedies: the page of a request includes its remedy. */
export const germanMails: Dictionary = { entries: { ...german.entries, ...mails }, filled: [] };
