import { Link, useParams } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef } from "react";
import { useCompany } from "../../app/company.ts";
import { useMay } from "../../app/may.ts";
import { PageHead } from "../../design/surface.tsx";
import { CompanySection } from "./company-section.tsx";
import { EmptyPlace } from "./empty-place.tsx";
import { MembersSection } from "./members-section.tsx";
import { ModeSection } from "./mode-section.tsx";
import { RunnersSection } from "./runners-section.tsx";
import { SecretsSection } from "./secrets-section.tsx";
import { type SectionKey, sections } from "./sections.ts";
import { SkillsSection } from "./skills-section.tsx";

const parts: Record<SectionKey, () => ReactNode> = {
  company: CompanySection,
  members: MembersSection,
  secrets: SecretsSection,
  skills: SkillsSection,
  runners: RunnersSection,
  mode: ModeSection,
};

/** What holds for the whole company, and for the deployment. */
export function SettingsPage(): ReactNode {
  const { section } = useParams({ from: "/$prefix/settings/$section" });
  const [key, name] = sections.find(([known]) => known === section) ?? [null, "Settings"];
  const Part = key === null ? EmptyPlace : parts[key];
  return (
    <>
      <PageHead title="Settings" name={`${name}, settings`} />
      <div className="flex min-w-0 flex-col gap-6 lg:grid lg:grid-cols-[9rem_minmax(0,1fr)] lg:gap-10">
        <SectionLinks />
        <div className="flex min-w-0 flex-col gap-8">
          <Part key={key} />
        </div>
      </div>
    </>
  );
}

const linkClass =
  "-mb-px whitespace-nowrap border-transparent border-b-2 px-0.5 pt-1 pb-2 text-ink-soft text-sm hover:text-ink focus-visible:-outline-offset-2 aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-ink lg:mb-0 lg:rounded-md lg:border-b-0 lg:px-2.5 lg:py-1.5 lg:hover:bg-hover lg:aria-[current=page]:bg-hover";

function SectionLinks(): ReactNode {
  const { issuePrefix } = useCompany();
  const mayFleet = useMay("fleet.list");
  const shown = sections.filter(([key]) => key !== "runners" || mayFleet);
  const { section } = useParams({ from: "/$prefix/settings/$section" });
  const ref = useRef<HTMLElement>(null);
  // On a phone they are wider than the page: the one that is shown is seen.
  useEffect(() => {
    const chosen = ref.current?.querySelector<HTMLElement>(`[data-section="${CSS.escape(section)}"]`);
    if (ref.current !== null && chosen instanceof HTMLElement)
      ref.current.scrollLeft = chosen.offsetLeft - ref.current.offsetLeft - 80;
  }, [section]);
  return (
    <nav
      ref={ref}
      aria-label="Settings"
      className="flex gap-5 overflow-x-auto border-line border-b lg:flex-col lg:gap-0.5 lg:self-start lg:border-b-0"
    >
      {shown.map(([key, name]) => (
        <Link
          key={key}
          to="/$prefix/settings/$section"
          params={{ prefix: issuePrefix, section: key }}
          data-section={key}
          className={linkClass}
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
