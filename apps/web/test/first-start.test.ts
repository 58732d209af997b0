import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  expectAccessible,
  hasChromium,
  picture,
  settled,
  sizes,
  startBrowser,
  type TestBrowser,
  themes,
  type Visit,
} from "./fixture/browser.ts";
import { type Built, buildProduct, type Product } from "./fixture/product.ts";

const forPeople = 60_000;
/** For what agents do meanwhile, on a machine that does other things too. */
const patience = { timeout: 60_000 };

describe.runIf(hasChromium)("from nothing to agents at work", () => {
  let programs: string;
  let built: Built;
  let product: Product;
  let browser: TestBrowser;
  let visit: Visit;
  beforeAll(async () => {
    programs = await mkdtemp(join(tmpdir(), "roster-programs-"));
    await writeFile(join(programs, "claude"), '#!/bin/sh\necho "9.8.7 (Claude Code)"\n');
    await chmod(join(programs, "claude"), 0o700);
    await mkdir(join(programs, ".claude"));
    await writeFile(join(programs, ".claude", ".credentials.json"), "{}");
    built = await buildProduct();
    product = await built.start({ PATH: `${programs}:${process.env["PATH"]}`, HOME: programs });
    browser = await startBrowser();
    visit = await browser.visit(product.url);
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
    await built?.remove();
    await rm(programs, { recursive: true });
  });

  const companyCalled = async (name: string) => {
    const { items } = await product.board.companies.list();
    const company = items.find((each) => each.name === name);
    if (company === undefined) throw new Error(`there is no company ${name}`);
    return company;
  };

  test("what a runner finds on its machine comes first, and what is missing says how it is installed", {
    timeout: forPeople,
  }, async () => {
    const { page } = visit;
    await page.getByRole("heading", { name: "Start a company of agents" }).waitFor();
    await page.getByText("Found here · 9.8.7").waitFor(patience);
    const choices = page.getByRole("group", { name: "Runs as" }).getByRole("radio");
    expect(await choices.first().getAttribute("value")).toBe("claude_local");
    expect(await choices.first().isChecked()).toBe(true);
    await page.getByText("npm install -g opencode-ai").waitFor();
    await expectAccessible(page, "first start");
    for (const theme of themes) {
      await page.emulateMedia({ colorScheme: theme });
      for (const [size, viewport] of Object.entries(sizes)) {
        await page.setViewportSize(viewport);
        await picture(page, `first-start-found-${theme}-${size}`);
      }
    }
    await page.setViewportSize(sizes.desktop);
  });

  test("one press loads a demo company: an agent does an issue, another asks for a hire, and it costs a little", {
    timeout: 4 * forPeople,
  }, async () => {
    const { page } = visit;
    await page.getByRole("button", { name: "Load the demo company" }).click();
    await page.getByRole("link", { name: "Review: Hire Ada, Someone who writes" }).waitFor(patience);
    const { issuePrefix, id } = await companyCalled("Demo");
    const params = { companyId: id };
    await page.goto(`${product.url}/${issuePrefix}/issues?status=done`);
    await page.getByRole("link", { name: "Write a greeting for the first visitor" }).click(patience);
    await page.getByRole("list", { name: "Comments" }).getByText("Written:").waitFor(patience);
    await page.getByRole("list", { name: "Runs about this issue" }).getByRole("link").first().click();
    await page.getByRole("region", { name: "Transcript" }).getByText("I have checked out").waitFor();
    await picture(page, "demo-run-light-desktop");
    await expect
      .poll(async () => (await product.board.companies.get({ params })).spentMonthlyCents, patience)
      .toBeGreaterThan(0);
    await page.goto(`${product.url}/${issuePrefix}`);
    await settled(page);
    await picture(page, "demo-needs-you-light-desktop");
    await page.getByRole("link", { name: "Review: Hire Ada, Someone who writes" }).click();
    // What an agent names by its address in the API is shown as its page.
    const named = await page.getByRole("link", { name: "The question", exact: true }).getAttribute("href");
    expect(named).toBe(new URL(page.url()).pathname);
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByRole("main").getByText("Approved", { exact: true }).waitFor();
    const closed = async () => (await product.board.issues.list({ params, query: { status: "done" } })).items.length;
    await expect.poll(closed, patience).toBe(3);
    expect(visit.errors).toEqual([]);
  });

  test("a sample agent begins without any account; nothing typed is lost while nobody answers", {
    timeout: 4 * forPeople,
  }, async () => {
    const { page } = visit;
    await page.goto(`${product.url}/start`);
    await page.getByLabel("Company").fill("Acme");
    await page.getByLabel("Goal").fill("Find an engineer. Then greet everybody.");
    await page.getByRole("radio", { name: "Sample agent" }).check();
    await product.killServer();
    await page.getByRole("button", { name: "Start", exact: true }).click();
    await page.getByRole("alert").getByText("Roster did not answer.").waitFor(patience);
    await product.startServer();
    await page.reload();
    expect(await page.getByLabel("Goal").inputValue()).toBe("Find an engineer. Then greet everybody.");
    expect(await page.getByRole("radio", { name: "Sample agent" }).isChecked()).toBe(true);
    await page.getByRole("button", { name: "Start", exact: true }).click();
    await page.getByRole("heading", { name: "Find an engineer." }).waitFor();
    await page.getByRole("list", { name: "Runs about this issue" }).getByText("Succeeded").first().waitFor(patience);
    const params = { companyId: (await companyCalled("Acme")).id };
    const { items } = await product.board.approvals.list({ params, query: { status: "pending" } });
    expect(items.map(({ type }) => type)).toEqual(["hire_agent"]);
    await page.goto(`${product.url}/start`);
    expect(await page.getByLabel("Company").inputValue()).toBe("");
    expect(visit.errors).toEqual([]);
  });

  test("what the service refuses is said at its field", { timeout: forPeople }, async () => {
    const { page } = visit;
    await page.goto(`${product.url}/start`);
    await page.getByLabel("Company").fill("Refused");
    await page.getByLabel("Goal").fill("Call somebody.");
    await page.getByRole("radio", { name: "HTTP endpoint" }).check();
    await page.getByLabel("Address").fill("not an address");
    await page.getByRole("button", { name: "Start", exact: true }).click();
    await page.getByRole("alert").waitFor();
    const field = page.getByLabel("Address");
    await expect.poll(() => field.getAttribute("aria-invalid")).toBe("true");
    await expectAccessible(page, "a refusal at the first start");
    expect(await field.inputValue()).toBe("not an address");
    expect(visit.errors).toEqual([]);
  });
});
