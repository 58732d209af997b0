import type { Session } from "@roster/client";
import { useQueryClient } from "@tanstack/react-query";
import { CircleUser } from "lucide-react";
import { type ReactNode, useState } from "react";
import { client } from "../../api/client.ts";
import { callOperation } from "../../api/operations.ts";
import { useAsk, useCommand, usePages } from "../../api/queries.ts";
import { useStanding } from "../../app/may.ts";
import { Badge } from "../../design/badge.tsx";
import { Button } from "../../design/button.tsx";
import { Confirm } from "../../design/confirm.tsx";
import { Moment } from "../../design/measures.tsx";
import { MoreButton } from "../../design/more-button.tsx";
import { Refusal } from "../../design/refusal.tsx";
import { Card, EmptyState, Facts, PageHead, Rows, Section } from "../../design/surface.tsx";
import { toast } from "../../design/toast.tsx";
import { wordsOf } from "../../design/words.ts";
import { deviceOf } from "./device.ts";

/** Who one is here, and where one is signed in. */
export function AccountPage(): ReactNode {
  const { data } = useAsk("auth.session", {});
  const { role } = useStanding();
  if (data === undefined) return null;
  const { user, session } = data;
  if (session === null) return <NoAccount />;
  return (
    <>
      <PageHead title="Your account" />
      <Card className="p-5">
        <Facts
          facts={[
            ["Name", user.name],
            ["E-mail address", user.email ?? "None"],
            ["Role in this company", role === null ? "…" : wordsOf(role)],
            ["Runs the deployment", user.isInstanceAdmin ? "Yes" : "No"],
          ]}
        />
      </Card>
      <Sessions />
    </>
  );
}

function NoAccount(): ReactNode {
  return (
    <>
      <PageHead title="Your account" />
      <EmptyState icon={<CircleUser />} title="Here nobody signs in">
        In local mode every person at this machine is the board, without an account.
      </EmptyState>
    </>
  );
}

function Sessions(): ReactNode {
  const { items, query } = usePages("auth.listSessions", { query: {} });
  const [asksToLeave, setAsksToLeave] = useState(false);
  const leave = (
    <Button look="danger" onClick={() => setAsksToLeave(true)}>
      Sign out everywhere
    </Button>
  );
  return (
    <Section title="Where you are signed in" aside={leave}>
      {items.length > 0 && (
        <Rows label="Sessions">
          {items.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </Rows>
      )}
      <MoreButton query={query} />
      {asksToLeave && <LeaveEverywhere onClose={() => setAsksToLeave(false)} />}
    </Section>
  );
}

function SessionRow({ session }: { readonly session: Session }): ReactNode {
  const { id, createdAt, expiresAt, ipAddress, userAgent, current } = session;
  const device = deviceOf(userAgent);
  const end = useCommand("auth.revokeSession", () => toast(`Signed out of ${device}`));
  return (
    <li className="flex flex-col gap-2 px-4 py-2.5">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="flex min-w-0 flex-1 basis-48 flex-col gap-0.5">
          <span className="flex min-w-0 items-center gap-2">
            <span className="truncate font-medium">{device}</span>
            {current && <Badge tone="good">This one</Badge>}
          </span>
          <span className="text-ink-faint text-xs">
            {ipAddress === null ? "" : `${ipAddress} · `}since <Moment at={createdAt} /> · runs out{" "}
            <Moment at={expiresAt} />
          </span>
        </div>
        {!current && (
          <Button busy={end.isPending} onClick={() => end.mutate({ params: { sessionId: id } })}>
            Sign out there
          </Button>
        )}
      </div>
      <Refusal error={end.error} />
    </li>
  );
}

function LeaveEverywhere({ onClose }: { readonly onClose: () => void }): ReactNode {
  const queries = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const leave = async (): Promise<void> => {
    setBusy(true);
    try {
      // The one that this page has goes last: without it the others could not be ended.
      for await (const { id, current } of client.auth.listSessions.all()) {
        if (!current) await callOperation("auth.revokeSession", { params: { sessionId: id } });
      }
      await callOperation("auth.signOut", {});
      queries.clear();
      window.location.assign("/");
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  return (
    <Confirm
      title="Sign out everywhere?"
      verb="Sign out everywhere"
      busy={isBusy}
      error={error}
      onConfirm={() => void leave()}
      onClose={onClose}
    >
      Every session of yours ends at once, this one too. Your password opens a new one.
    </Confirm>
  );
}
