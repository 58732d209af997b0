import { isRefused } from "@roster/client";
import { Outlet } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense, useState, useSyncExternalStore } from "react";
import { useAsk } from "../api/queries.ts";
import { Waiting } from "../design/surface.tsx";
import { NotThere } from "./not-there.tsx";

const SignInPage = lazy(async () => ({ default: (await import("../features/entry/sign-in-page.tsx")).SignInPage }));
const EnterPage = lazy(async () => ({ default: (await import("../features/entry/enter-page.tsx")).EnterPage }));

function onHash(heard: () => void): () => void {
  window.addEventListener("hashchange", heard);
  return () => window.removeEventListener("hashchange", heard);
}

/** The token of a link that somebody comes in with: it is behind the #, so no server and no log sees it. */
function useEntryToken(): { readonly kind: "claim" | "invitation"; readonly token: string } | null {
  const hash = useSyncExternalStore(onHash, () => window.location.hash);
  const [, kind, token] = /^#(claim|invitation)=(.+)$/.exec(hash) ?? [];
  if (token === undefined) return null;
  return { kind: kind === "claim" ? "claim" : "invitation", token: decodeURIComponent(token) };
}

/** Lets in who may come in; shows the way in to everybody else, at the address that they wanted. */
export function EntryGate(): ReactNode {
  const entry = useEntryToken();
  const { data, error, refetch } = useAsk("auth.session", {});
  // While it is asked anew nothing is known; what somebody types into the way in must not go meanwhile.
  const [isOut, setOut] = useState(false);
  const isRefusedNow = isRefused(error, "unauthenticated", "credential_expired");
  if (isRefusedNow && !isOut) setOut(true);
  if (isOut && !isRefusedNow && data !== undefined) setOut(false);
  if (entry !== null) {
    return (
      <Suspense fallback={<Waiting />}>
        <EnterPage kind={entry.kind} token={entry.token} />
      </Suspense>
    );
  }
  if (isOut) {
    return (
      <Suspense fallback={<Waiting />}>
        <SignInPage />
      </Suspense>
    );
  }
  if (data !== undefined) return <Outlet />;
  if (error === null) return <Waiting />;
  return <NotThere error={error} onRetry={() => void refetch()} />;
}
