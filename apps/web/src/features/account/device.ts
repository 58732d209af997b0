const browsers = [
  ["Edge", /\bEdg\//],
  ["Firefox", /\bFirefox\//],
  ["Opera", /\bOPR\//],
  ["Chrome", /\b(?:Headless)?Chrom(?:e|ium)\//],
  ["Safari", /\bSafari\//],
] as const;
const systems = [
  ["Android", /\bAndroid\b/],
  ["iOS", /\biPhone\b|\biPad\b/],
  ["Windows", /\bWindows\b/],
  ["macOS", /\bMac OS X\b/],
  ["Linux", /\bLinux\b/],
] as const;

/** What somebody is signed in with, in words; a program by its own name. Pure. */
export function deviceOf(userAgent: string | null): string {
  if (userAgent === null) return "An unknown device";
  const browser = browsers.find(([, pattern]) => pattern.test(userAgent))?.[0];
  const system = systems.find(([, pattern]) => pattern.test(userAgent))?.[0];
  if (browser === undefined) return userAgent.split(/[\s(]/)[0] || "An unknown program";
  return system === undefined ? browser : `${browser} on ${system}`;
}
