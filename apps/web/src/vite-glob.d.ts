/** Of Vite, whose own types are those of much more: files of the tree as texts. */
interface ImportMeta {
  glob(
    pattern: string,
    how: { readonly query: "?raw"; readonly import: "default"; readonly eager: true },
  ): Readonly<Record<string, unknown>>;
}
