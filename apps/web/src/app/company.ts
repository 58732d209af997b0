import type { Company } from "@roster/client";
import { createContext, useContext } from "react";

/** The company that the page is about. */
export const CompanyContext = createContext<Company | null>(null);

/** The company that the page is about; its pages are shown in none but one. */
export function useCompany(): Company {
  const company = useContext(CompanyContext);
  if (company === null) throw new Error("this page is shown outside of a company");
  return company;
}
