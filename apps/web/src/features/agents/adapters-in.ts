/** A kind of program that agents can be. */
export interface Adapter {
  readonly type: string;
  readonly title: string;
  readonly description: string;
}

/** The adapters that the service's own document for agents lists, in its order. Pure. */
export function adaptersIn(document: string): readonly Adapter[] {
  const [, list = ""] = document.split(/^## Adapters$/m);
  return Array.from(
    list.matchAll(/^- (\w+) \((.+?)\): (.+?) \S*\/llms\/\S+$/gm),
    ([, type = "", title = "", description = ""]) => ({
      type,
      title,
      description,
    }),
  );
}
