import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { doFix } from "../../api/do-fix.ts";
import { type Fix, operationOf } from "../../api/operation-of.ts";
import type { OperationName } from "../../api/operations.ts";
import { useAsk } from "../../api/queries.ts";
import { useCompany } from "../../app/company.ts";
import { useStanding } from "../../app/may.ts";
import { mayCall } from "../../app/may-call.ts";
import { Button, buttonClass } from "../../design/button.tsx";
import { Refusal } from "../../design/refusal.tsx";
import { toast } from "../../design/toast.tsx";

/** What the operations that clear reasons are called on a button. What asks for more than a press is a page instead. */
const words: Readonly<Record<string, string>> = {
  "agents.clearError": "Clear the error",
  "agents.resume": "Resume",
  "companies.resume": "Resume the company",
  "runs.release": "Let it go on",
  "runs.wakeup": "Wake it",
  "runs.invoke": "Wake it",
};

/** The call that clears what hinders an agent first; where there is none to press, the way to the agent. */
export function WhynotFix({ agentId }: { readonly agentId: string }): ReactNode {
  const { issuePrefix } = useCompany();
  const { data } = useAsk("runs.whynot", { params: { agentId } });
  const fix = data?.reasons[0]?.fix ?? null;
  return (
    <>
      {fix !== null && <FixButton fix={fix} />}
      <Link
        to="/$prefix/agents/$agentKey"
        params={{ prefix: issuePrefix, agentKey: agentId }}
        search={{}}
        className={buttonClass("plain")}
      >
        Open the agent
      </Link>
    </>
  );
}

/** Does what the service proposes, at a press. What has to be looked at first is a way to where it can be. */
export function FixButton({ fix }: { readonly fix: Fix }): ReactNode {
  const { issuePrefix: prefix } = useCompany();
  const queries = useQueryClient();
  const standing = useStanding();
  const doing = useMutation({
    mutationFn: () => doFix(fix),
    onSuccess: async () => {
      toast("Done");
      await queries.invalidateQueries();
    },
  });
  const found = operationOf(fix);
  const approvalId = found?.params["approvalId"];
  if (approvalId !== undefined) {
    return (
      <Link to="/$prefix/approvals/$approvalId" params={{ prefix, approvalId }} className={buttonClass("primary")}>
        Review
      </Link>
    );
  }
  const word = words[found?.named.name ?? ""];
  // An operation that was found goes by one of these names.
  if (word === undefined || !mayCall(found?.named.name as OperationName, standing)) return null;
  return (
    <>
      <Button look="primary" busy={doing.isPending} onClick={() => doing.mutate()}>
        {word}
      </Button>
      <Refusal error={doing.error} />
    </>
  );
}
