import { isRefused } from "@roster/client";
import { QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Toasts } from "../design/toast.tsx";
import { router } from "./router.tsx";

const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, { queryKey }) => {
      // Signed out elsewhere: who is signed in is asked anew, and the page with it.
      if (isRefused(error, "unauthenticated") && queryKey[0] !== "auth") {
        void queries.invalidateQueries({ queryKey: ["auth"] });
      }
    },
  }),
  defaultOptions: {
    queries: {
      // The client tries again by itself, and the log says when something has changed.
      retry: false,
      staleTime: 30_000,
      refetchOnWindowFocus: false,
      networkMode: "always",
      // The version of what was answered goes by the very object.
      structuralSharing: false,
    },
    mutations: { retry: false, networkMode: "always" },
  },
});

/** The whole page. */
export function Board(): ReactNode {
  return (
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
      <Toasts />
    </QueryClientProvider>
  );
}
