import { Settings } from "lucide-react";
import type { ReactNode } from "react";
import { EmptyState } from "../../design/surface.tsx";

/** An address that names no part of the settings. */
export function EmptyPlace(): ReactNode {
  return (
    <EmptyState icon={<Settings />} title="There are no such settings">
      Choose one of the parts of the settings.
    </EmptyState>
  );
}
