import { type ComponentProps, type MouseEvent, type ReactNode, useContext } from "react";
import ReactMarkdown from "react-markdown";
import remarkGfm from "remark-gfm";
import { OwnLinks } from "./own-links.ts";

/** Headings stand below those of the page that shows the text. */
const parts = { h1: "h3", h2: "h4", h3: "h5", h4: "h6", h5: "h6", img: ImageAsLink, a: TextLink } as const;

/** Markdown without HTML, without scripts, and without anything that is loaded from elsewhere. */
export function RenderedMarkdown({ text }: { readonly text: string }): ReactNode {
  return (
    <ReactMarkdown remarkPlugins={[remarkGfm]} components={parts}>
      {text}
    </ReactMarkdown>
  );
}

/** A picture of elsewhere would tell its server who reads this: it is a link that somebody may follow. */
function ImageAsLink({ src, alt }: ComponentProps<"img">): ReactNode {
  return <OutwardLink href={typeof src === "string" ? src : undefined}>{alt || "picture"}</OutwardLink>;
}

/** To a page of the board it leads within the board; anywhere else, to a window of its own. */
function TextLink({ href, children }: ComponentProps<"a">): ReactNode {
  const own = useContext(OwnLinks)(href ?? "");
  if (own === null) return <OutwardLink href={href}>{children}</OutwardLink>;
  const follow = (event: MouseEvent): void => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    own.follow();
  };
  return (
    <a href={own.path} onClick={follow}>
      {children}
    </a>
  );
}

function OutwardLink({ href, children }: ComponentProps<"a">): ReactNode {
  return (
    <a href={href} target="_blank" rel="noreferrer noopener">
      {children}
    </a>
  );
}
