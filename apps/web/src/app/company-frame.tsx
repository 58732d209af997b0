import type { Company } from "@roster/client";
import { Outlet, useNavigate, useParams } from "@tanstack/react-router";
import { type ReactNode, useCallback, useEffect } from "react";
import { useAsk } from "../api/queries.ts";
import { type OwnLink, OwnLinks } from "../design/own-links.ts";
import { Waiting } from "../design/surface.tsx";
import { boardPathOf } from "./board-path.ts";
import { CompanyContext } from "./company.ts";
import { keepCompany } from "./last-company.ts";
import { useLive } from "./live.ts";
import { useIsStandingPending } from "./may.ts";
import { NoPage } from "./no-page.tsx";
import { NotThere } from "./not-there.tsx";
import { Shell } from "./shell.tsx";

/** What is around every page of a company. */
export function CompanyFrame(): ReactNode {
  const { prefix } = useParams({ from: "/$prefix" });
  const { data, error, refetch } = useAsk("companies.list", { query: { issuePrefix: prefix.slice(0, 64) } });
  const company = data?.items.find(({ issuePrefix }) => issuePrefix === prefix);
  if (company !== undefined) return <LiveCompany key={company.id} company={company} />;
  if (error !== null) return <NotThere error={error} onRetry={() => void refetch()} />;
  return data === undefined ? <Waiting /> : <NoPage />;
}

function LiveCompany({ company }: { readonly company: Company }): ReactNode {
  const isLive = useLive(company.id);
  useEffect(() => keepCompany(company.issuePrefix), [company.issuePrefix]);
  return (
    <CompanyContext value={company}>
      <OwnLinks value={useOwnLinks(company.issuePrefix)}>
        <Shell isLive={isLive}>
          <Page />
        </Shell>
      </OwnLinks>
    </CompanyContext>
  );
}

/** Where addresses in texts of this company lead. */
function useOwnLinks(prefix: string): (href: string) => OwnLink | null {
  const navigate = useNavigate();
  return useCallback(
    (href) => {
      const path = boardPathOf(href, prefix);
      return path === null ? null : { path, follow: () => void navigate({ href: path }) };
    },
    [navigate, prefix],
  );
}

/** What may be done is known before anything is offered, so that nothing on a page jumps. */
function Page(): ReactNode {
  return useIsStandingPending() ? <Waiting /> : <Outlet />;
}
