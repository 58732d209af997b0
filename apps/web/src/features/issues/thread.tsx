import type { Comment } from "@roster/client";
import type { FormEvent, ReactNode } from "react";
import { useDraft } from "../../app/draft.ts";
import { Button } from "../../design/button.tsx";
import { Face } from "../../design/face.tsx";
import { TextArea } from "../../design/field.tsx";
import { Markdown } from "../../design/markdown.tsx";
import { Moment } from "../../design/measures.tsx";
import { Refusal } from "../../design/refusal.tsx";
import { Card } from "../../design/surface.tsx";
import { useAgents, useNameOf } from "../people/names.ts";

interface ThreadParts {
  readonly comments: readonly Comment[];
  /** Under which what is being written is kept. */
  readonly draftKey: string;
  readonly sending: { readonly isPending: boolean; readonly error: unknown };
  /** Null for who may read, and not write. */
  readonly onSend: ((body: string) => Promise<unknown>) | null;
}

/** What was said, oldest first, and the place to say more. Ctrl/Cmd-Enter sends. */
export function Thread({ comments, draftKey, sending, onSend }: ThreadParts): ReactNode {
  return (
    <div className="flex flex-col gap-3">
      {comments.length > 0 && (
        <ol aria-label="Comments" className="flex flex-col gap-3">
          {comments.map((comment) => (
            <Said key={comment.id} comment={comment} />
          ))}
        </ol>
      )}
      {comments.length === 0 && onSend === null && <p className="text-ink-faint text-sm">Nothing was said yet.</p>}
      {onSend !== null && <Reply draftKey={draftKey} sending={sending} onSend={onSend} />}
    </div>
  );
}

interface ReplyParts extends Pick<ThreadParts, "draftKey" | "sending"> {
  readonly onSend: (body: string) => Promise<unknown>;
}

function Reply({ draftKey, sending, onSend }: ReplyParts): ReactNode {
  const [text, write] = useDraft(draftKey);
  const send = (): void => {
    if (text.trim() === "") return;
    // What was written stays until it has arrived; why it has not is shown below.
    onSend(text).then(
      () => write(""),
      () => undefined,
    );
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    send();
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-2">
      <TextArea
        bare
        label="Comment"
        placeholder="Write a comment. Markdown works; @ an agent to wake it."
        value={text}
        onChange={({ target }) => write(target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) send();
        }}
      />
      <Refusal error={sending.error} />
      <Button type="submit" className="self-end" busy={sending.isPending} disabled={text.trim() === ""}>
        Comment
      </Button>
    </form>
  );
}

function Said({ comment }: { readonly comment: Comment }): ReactNode {
  const nameOf = useNameOf();
  const agent = useAgents().get(comment.authorAgentId ?? "");
  return (
    <li>
      <Card>
        <p className="flex items-center gap-2 border-line border-b px-4 py-2 text-sm">
          {agent !== undefined && <Face icon={agent.icon} size="small" />}
          <span className="font-medium">{nameOf(comment.authorAgentId, comment.authorUserId)}</span>
          <span className="text-ink-faint">
            <Moment at={comment.createdAt} />
          </span>
        </p>
        <div className="px-4 py-3">
          <Markdown text={comment.body} />
        </div>
      </Card>
    </li>
  );
}
