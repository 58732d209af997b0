import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";

/** Whoever comes by an id is shown the address that people read, in its place. */
export function useReadableAddress(given: string, readable: string | undefined): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (readable === undefined || given === readable) return;
    const { pathname, search } = window.location;
    void navigate({ href: pathname.replace(given, readable) + search, replace: true });
  }, [given, readable, navigate]);
}
