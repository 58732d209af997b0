const kept = "roster.theme";

/** What decides between light and dark: the device, or the person. */
export const themes = ["system", "light", "dark"] as const;
/** What decides between light and dark. */
export type Theme = (typeof themes)[number];

/** What was chosen in this browser; the device decides where nothing was. */
export function chosenTheme(): Theme {
  const value = localStorage.getItem(kept);
  return themes.find((theme) => theme === value) ?? "system";
}

/** Chooses, here and for later visits. */
export function chooseTheme(theme: Theme): void {
  localStorage.setItem(kept, theme);
  applyTheme();
}

/** Makes the page look as it was chosen. */
export function applyTheme(): void {
  const theme = chosenTheme();
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
}
