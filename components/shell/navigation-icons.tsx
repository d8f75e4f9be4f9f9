import {
  Activity,
  Building2,
  ChartLine,
  CircleUser,
  Contact,
  House,
  KeyRound,
  type LucideIcon,
  PanelsTopLeft,
  ScrollText,
  Settings,
  Users,
  Webhook,
} from "lucide-react";

/** The icon of each entry of the menu, by its key. */
export const navigationIcons: Record<string, LucideIcon> = {
  home: House,
  metrics: ChartLine,
  requests: Activity,
  users: Users,
  keys: KeyRound,
  me: CircleUser,
  previews: PanelsTopLeft,
  customers: Contact,
  webhooks: Webhook,
  audit: ScrollText,
  settings: Settings,
  tenants: Building2,
};
