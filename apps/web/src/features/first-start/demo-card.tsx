import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useRef } from "react";
import { Button } from "../../design/button.tsx";
import { Refusal } from "../../design/refusal.tsx";
import { Card } from "../../design/surface.tsx";
import { loadDemo, nothingLoaded } from "./load-demo.ts";

/** A whole company at one press, to see everything work before anything is decided. */
export function DemoCard(): ReactNode {
  const done = useRef(nothingLoaded());
  const queries = useQueryClient();
  const navigate = useNavigate();
  const loading = useMutation({
    mutationFn: () => loadDemo(done.current),
    onSuccess: async (prefix) => {
      await queries.invalidateQueries();
      await navigate({ to: "/$prefix", params: { prefix } });
    },
  });
  return (
    <Card className="flex flex-col gap-3 px-6 py-5">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <div className="min-w-56 flex-1">
          <h2 className="font-medium">Only looking?</h2>
          <p className="text-ink-soft text-sm">
            A demo company: its agents are small scripts that work and hire, without an account or a model. What they
            cost is made up.
          </p>
        </div>
        <Button busy={loading.isPending} onClick={() => loading.mutate()}>
          {loading.isPending ? "Loading…" : "Load the demo company"}
        </Button>
      </div>
      <Refusal error={loading.error} />
    </Card>
  );
}
