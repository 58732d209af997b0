import { Navigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useAsk } from "../api/queries.ts";
import { Waiting } from "../design/surface.tsx";
import { lastCompany } from "./last-company.ts";
import { NotThere } from "./not-there.tsx";

/** Where one begins: the company that one looked at last, or the first start. */
export function Home(): ReactNode {
  const { data, error, refetch } = useAsk("companies.list", { query: { limit: 200 } });
  if (error !== null) return <NotThere error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Waiting />;
  const last = lastCompany();
  const company = data.items.find(({ issuePrefix }) => issuePrefix === last) ?? data.items[0];
  if (company === undefined) return <Navigate to="/start" replace />;
  return <Navigate to="/$prefix" params={{ prefix: company.issuePrefix }} replace />;
}
