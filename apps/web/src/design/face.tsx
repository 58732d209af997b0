import type { agentIcons } from "@roster/contract";
import {
  Anchor,
  Atom,
  Bell,
  BookOpen,
  Bot,
  Brain,
  Briefcase,
  Bug,
  Calculator,
  Camera,
  ChartLine,
  Cloud,
  Code,
  Coins,
  Compass,
  Cpu,
  Crown,
  Database,
  Eye,
  Feather,
  FlaskConical,
  Gavel,
  Gem,
  Globe,
  Hammer,
  Heart,
  Key,
  Leaf,
  Lightbulb,
  type LucideIcon,
  Mail,
  Megaphone,
  MessageSquare,
  Microscope,
  Palette,
  PenTool,
  Rocket,
  Scale,
  Search,
  Shield,
  Sparkles,
  Target,
  Terminal,
  Truck,
  Users,
  Wrench,
  Zap,
} from "lucide-react";
import type { ReactNode } from "react";
import { classes } from "./classes.ts";

/** The picture of each name that an agent's icon may have. Total by its type. */
const pictures: Record<(typeof agentIcons)[number], LucideIcon> = {
  anchor: Anchor,
  atom: Atom,
  bell: Bell,
  "book-open": BookOpen,
  bot: Bot,
  brain: Brain,
  briefcase: Briefcase,
  bug: Bug,
  calculator: Calculator,
  camera: Camera,
  "chart-line": ChartLine,
  cloud: Cloud,
  code: Code,
  coins: Coins,
  compass: Compass,
  cpu: Cpu,
  crown: Crown,
  database: Database,
  eye: Eye,
  feather: Feather,
  "flask-conical": FlaskConical,
  gavel: Gavel,
  gem: Gem,
  globe: Globe,
  hammer: Hammer,
  heart: Heart,
  key: Key,
  leaf: Leaf,
  lightbulb: Lightbulb,
  mail: Mail,
  megaphone: Megaphone,
  "message-square": MessageSquare,
  microscope: Microscope,
  palette: Palette,
  "pen-tool": PenTool,
  rocket: Rocket,
  scale: Scale,
  search: Search,
  shield: Shield,
  sparkles: Sparkles,
  target: Target,
  terminal: Terminal,
  truck: Truck,
  users: Users,
  wrench: Wrench,
  zap: Zap,
};

const sizes = {
  small: ["size-6 rounded-md", 14],
  medium: ["size-9 rounded-lg", 18],
  large: ["size-12 rounded-lg", 24],
} as const;

/** The face of an agent. */
export function Face({
  icon,
  size = "medium",
}: {
  readonly icon: string | null;
  readonly size?: keyof typeof sizes;
}): ReactNode {
  const Picture = pictures[icon as keyof typeof pictures] ?? Bot;
  const [box, pixels] = sizes[size];
  return (
    <span
      aria-hidden="true"
      className={classes("flex shrink-0 items-center justify-center bg-accent-soft text-accent", box)}
    >
      <Picture size={pixels} strokeWidth={1.75} />
    </span>
  );
}
