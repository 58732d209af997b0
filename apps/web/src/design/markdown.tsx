import { lazy, type ReactNode, Suspense } from "react";

const Rendered = lazy(async () => ({ default: (await import("./rendered-markdown.tsx")).RenderedMarkdown }));

/** Text that somebody wrote in markdown. Until what renders it has come, it is the text itself. */
export function Markdown({ text }: { readonly text: string }): ReactNode {
  return (
    <div className="prose-md min-w-0 break-words text-base">
      <Suspense fallback={<p className="whitespace-pre-wrap">{text}</p>}>
        <Rendered text={text} />
      </Suspense>
    </div>
  );
}
