import {
  Activity,
  BellRing,
  Building2,
  ChartLine,
  CircleUser,
  Contact,
  House,
  KeyRound,
  ListChecks,
  type LucideIcon,
  PanelsTopLeft,
  RadioTower,
  Rocket,
  ScrollText,
  Settings,
  Users,
  Webhook,
} from "lucide-react";
import type { ReactNode } from "react";

const icons: Record<string, LucideIcon> = {
  home: House,
  metrics: ChartLine,
  alerts: BellRing,
  requests: Activity,
  users: Users,
  keys: KeyRound,
  "access-review": ListChecks,
  me: CircleUser,
  previews: PanelsTopLeft,
  releases: Rocket,
  customers: Contact,
  webhooks: Webhook,
  streams: RadioTower,
  audit: ScrollText,
  settings: Settings,
  tenants: Building2,
};

/** The icon of each entry of the menu, by its key. The sidebar gets them rendered, so that their code stays on the server. */
export const navigationIcons: Record<string, ReactNode> = Object.fromEntries(
  Object.entries(icons).map(([key, Icon]) => [
    key,
    <Icon key={key} aria-hidden="true" className="size-4 shrink-0" />,
  ]),
);
