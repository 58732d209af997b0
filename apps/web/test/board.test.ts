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

const worker = `${process.execPath} ${new URL("fixture/worker.mjs", import.meta.url).pathname}`;
const forPeople = 60_000;

describe.runIf(hasChromium)("the board in a browser", () => {
  let built: Built;
  let product: Product;
  let browser: TestBrowser;
  let visit: Visit;
  beforeAll(async () => {
    built = await buildProduct();
    product = await built.start();
    browser = await startBrowser();
    visit = await browser.visit(product.url);
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
    await built?.remove();
  });

  const companyId = async (): Promise<string> => (await product.board.companies.list()).items[0]?.id ?? "";
  const go = async (path: string): Promise<void> => {
    await visit.page.goto(product.url + path);
    await settled(visit.page);
  };

  test("the first screen is at most 250 KB", async () => {
    expect(await built.firstScreenBytes()).toBeLessThan(250_000);
  });

  test("first start: three fields, and an agent is running", { timeout: forPeople }, async () => {
    const { page } = visit;
    await page.getByRole("heading", { name: "Start a company of agents" }).waitFor();
    await expectAccessible(page, "first start");
    await picture(page, "first-start-light-desktop");
    await page.getByLabel("Company").fill("Acme");
    await page.getByLabel("Goal").fill("Make everybody welcome. Wait for go.");
    await page.getByRole("radio", { name: "Command" }).check();
    await page.getByLabel("Command line").fill(worker);
    await page.getByRole("button", { name: "Start" }).click();
    await page.getByRole("heading", { name: "Make everybody welcome." }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/ACM/issues/ACM-1");
    await page.getByRole("list", { name: "Runs about this issue" }).getByText("Running").waitFor();
  });

  test("an issue is worked on, live, until it is done", { timeout: forPeople }, async () => {
    const { page } = visit;
    await page.getByRole("list", { name: "Runs about this issue" }).getByRole("link").click();
    const transcript = page.getByRole("region", { name: "Transcript" });
    await transcript.getByText("look around", { exact: true }).waitFor();
    await transcript.getByText("It goes on.").waitFor();
    await page.getByRole("link", { name: "Its issue" }).click();
    await page.getByRole("textbox", { name: "Comment" }).fill("go");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("list", { name: "Comments" }).getByText("looked around").waitFor();
    await page.getByLabel("Status").and(page.locator("select")).waitFor();
    await expect.poll(() => page.getByLabel("Status").inputValue()).toBe("done");
    await page.getByRole("list", { name: "Runs about this issue" }).getByText("Succeeded").first().waitFor();
    await page.getByRole("list", { name: "Runs about this issue" }).getByRole("link").last().click();
    await transcript.getByText("It is done.").waitFor();
    await expect.poll(() => transcript.getByText("It goes on.").count()).toBe(0);
    await page.reload();
    await transcript.getByText("It is done.").waitFor();
    await page.getByRole("tab", { name: "Log" }).click();
    await page.getByText("reading README.md").waitFor();
  });

  test("a hire is read, sent back, read again by what changed, and approved", { timeout: forPeople }, async () => {
    const { page } = visit;
    await go("/ACM/hire");
    await page.getByLabel("Name").fill("Nova");
    await page.getByLabel("Role").fill("engineer");
    await page.getByLabel("Title").fill("Engineer of greetings");
    await page.getByLabel("Reports to").selectOption({ label: "Ada" });
    await page.getByLabel("Budget a month, in dollars").fill("50");
    await page.getByRole("radio", { name: "Command" }).check();
    await page.getByLabel("Command line").fill(worker);
    await page.getByLabel("Instructions").fill("# Nova\n\nYou greet people.\n");
    await page.getByRole("button", { name: "Propose the hire" }).click();
    await page.getByRole("heading", { name: "Hire Nova, Engineer of greetings" }).waitFor();
    const { pathname } = new URL(page.url());
    await go("/ACM");
    await picture(page, "needs-you-light-desktop");
    await page.getByRole("link", { name: "Review: Hire Nova, Engineer of greetings" }).click();
    await page.getByText("You greet people.").waitFor();
    await page.getByLabel("Note to the requester").fill("Smaller budget, please.");
    await expectAccessible(page, "a decision");
    await picture(page, "decision-light-desktop");
    await page.setViewportSize(sizes.phone);
    await picture(page, "decision-light-phone");
    await page.setViewportSize(sizes.desktop);
    await page.getByRole("button", { name: "Ask for a revision" }).click();
    await page.getByText("Revision requested").waitFor();
    const params = { approvalId: pathname.split("/").at(-1) ?? "" };
    await product.board.approvals.resubmit({ params, body: { payload: { budgetMonthlyCents: 2000 } } });
    await page.getByRole("heading", { name: "What changed since version 1" }).waitFor();
    await page.getByRole("list", { name: "What differs" }).getByText("2000").waitFor();
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByRole("main").getByText("Approved", { exact: true }).waitFor();
    const { items } = await product.board.agents.list({ params: { companyId: await companyId() } });
    expect(items.find(({ name }) => name === "Nova")?.status).not.toBe("pending_approval");
  });

  test("what was decided elsewhere meanwhile is refused in the service's words", { timeout: forPeople }, async () => {
    const { page } = visit;
    const params = { companyId: await companyId() };
    const payload = { title: "A bigger machine", body: "The small one is **full**." };
    const asked = await product.board.approvals.request({ params, body: { type: "board_request", payload } });
    await go(`/ACM/approvals/${asked.id}`);
    // As the page was before: it hears of nothing, and shows what it showed.
    await page.route("**/api/approvals/*", (route) => route.abort());
    const body = { payload: { body: "Both are full." } };
    await page.context().setOffline(false);
    await product.board.approvals.requestRevision({ params: { approvalId: asked.id }, body: {} });
    await product.board.approvals.resubmit({ params: { approvalId: asked.id }, body });
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByRole("alert").getByText("payload_changed").waitFor();
    await page.unroute("**/api/approvals/*");
    await page.reload();
    await page.getByText("Both are full.").first().waitFor();
  });

  test("a revision is rolled back after seeing what that changes", { timeout: forPeople }, async () => {
    const { page } = visit;
    await go("/ACM/agents/nova?tab=configuration");
    await page.getByLabel("Budget a month, in dollars").fill("75.50");
    await page.getByRole("tab", { name: "Instructions" }).click();
    await page.getByLabel("Text of AGENTS.md").fill("# Nova\n\nYou greet nobody.\n");
    await page.getByRole("button", { name: "Preview the change" }).click();
    await page.getByRole("dialog").getByText("+You greet nobody.").waitFor();
    await page.getByRole("button", { name: "Save as a new revision" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByRole("tab", { name: "Revisions" }).click();
    await page.getByRole("list", { name: "Revisions, newest first" }).getByText("Present").waitFor();
    const before = await page
      .getByRole("button", { name: /^Show revision/ })
      .nth(1)
      .getAttribute("aria-label");
    await page.getByRole("button", { name: before ?? "" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("+You greet people.").last().waitFor();
    await expectAccessible(page, "the dialog of a revision");
    await picture(page, "revision-light-desktop");
    await dialog.getByRole("button", { name: /^Roll back/ }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("tab", { name: "Instructions" }).click();
    await expect.poll(() => page.getByLabel("Text of AGENTS.md").inputValue()).toContain("You greet people.");
  });

  test("Ctrl-K goes anywhere by typing", { timeout: forPeople }, async () => {
    const { page } = visit;
    await go("/ACM");
    await page.keyboard.press("Control+k");
    await page.getByPlaceholder("Go to a page, an agent, an issue…").fill("welcome");
    await page.getByRole("option", { name: /ACM-1/ }).first().waitFor();
    await expectAccessible(page, "the palette");
    await picture(page, "palette-light-desktop");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/ACM/issues/ACM-1");
  });

  test("filters of the issues are in the address, and the keys of lists work", { timeout: forPeople }, async () => {
    const { page } = visit;
    await go("/ACM/issues?status=todo");
    await page.getByText("No issues here").waitFor();
    await page.getByLabel("Status").selectOption("done");
    await page.getByRole("link", { name: "Make everybody welcome." }).waitFor();
    expect(new URL(page.url()).search).toBe("?status=done");
    await page.keyboard.press("Escape");
    await page.locator("body").evaluate(() => (document.activeElement as HTMLElement).blur());
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/ACM/issues/ACM-1");
  });

  test("a killed server is said, loses nothing that was typed, and heals by itself", {
    timeout: forPeople,
  }, async () => {
    const { page } = visit;
    await go("/ACM/issues/ACM-1");
    await page.getByRole("textbox", { name: "Comment" }).fill("Written while nobody answered.");
    await product.killServer();
    await page.getByText("The connection is lost.").waitFor();
    await product.startServer();
    await page.getByText("The connection is lost.").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Comment" }).click();
    await page.getByRole("list", { name: "Comments" }).getByText("Written while nobody answered.").waitFor();
    await expect.poll(() => page.getByRole("textbox", { name: "Comment" }).inputValue()).toBe("");
  });

  test("every screen, in both themes and sizes, is accessible", { timeout: 3 * forPeople }, async () => {
    const { page } = visit;
    const params = { companyId: await companyId() };
    const [approval] = (await product.board.approvals.list({ params, query: { type: "hire_agent", limit: 1 } })).items;
    const run = (await product.board.runs.list({ params, query: { status: "succeeded" } })).items.at(-1);
    const paths = {
      "needs-you": "/ACM",
      issues: "/ACM/issues",
      "new-issue": "/ACM/issues?new=true",
      issue: "/ACM/issues/ACM-1",
      agents: "/ACM/agents",
      "org-chart": "/ACM/agents?view=chart",
      agent: "/ACM/agents/nova",
      configuration: "/ACM/agents/nova?tab=configuration",
      revisions: "/ACM/agents/nova?tab=revisions",
      hire: "/ACM/hire",
      approvals: "/ACM/approvals",
      "hire-review": `/ACM/approvals/${approval?.id}`,
      run: `/ACM/runs/${run?.id}`,
      cause: `/ACM/runs/${run?.id}?tab=cause`,
      costs: "/ACM/costs",
      activity: "/ACM/activity",
      design: "/design",
      start: "/start",
      nowhere: "/ACM/nowhere/at/all",
    };
    for (const [name, path] of Object.entries(paths)) {
      await page.setViewportSize(sizes.desktop);
      await page.goto(product.url + path);
      for (const theme of themes) {
        await page.emulateMedia({ colorScheme: theme });
        for (const [size, viewport] of Object.entries(sizes)) {
          await page.setViewportSize(viewport);
          await settled(page);
          await picture(page, `${name}-${theme}-${size}`);
        }
        await expectAccessible(page, `${name}, ${theme}`);
      }
    }
    expect(visit.errors).toEqual([]);
  });

  test("where people sign in: the claim, out, a wrong password, and in again", { timeout: forPeople }, async () => {
    const secured = await built.start({ SERVICE_MODE: "authenticated" });
    try {
      const { page, errors } = await browser.visit(`${secured.url}/#claim=${await secured.claimToken()}`);
      await page.getByLabel("Your name").fill("Ada");
      await page.getByLabel("E-mail address").fill("ada@example.com");
      await page.getByLabel("Password").fill("too short");
      await expectAccessible(page, "the claim");
      await picture(page, "claim-light-desktop");
      await page.getByRole("button", { name: "Open my account" }).click();
      await page.getByRole("alert").waitFor();
      await page.getByText("must be at least 12 characters").first().waitFor();
      await page.getByLabel("Password").fill("a long first password");
      await page.getByRole("button", { name: "Open my account" }).click();
      await page.getByRole("heading", { name: "Start a company of agents" }).waitFor();
      await page.evaluate(async () => {
        const body = JSON.stringify({ name: "Acme" });
        await fetch("/api/companies", { method: "POST", headers: { "content-type": "application/json" }, body });
      });
      await page.goto(`${secured.url}/ACM/issues`);
      await page.getByRole("button", { name: "Ada" }).click();
      await page.getByRole("menuitem", { name: "Sign out" }).click();
      await page.getByRole("heading", { name: "Sign in to Roster" }).waitFor();
      await page.goto(`${secured.url}/ACM/issues`);
      await page.getByLabel("E-mail address").fill("ada@example.com");
      await page.getByLabel("Password").fill("not the password");
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("alert").waitFor();
      await expectAccessible(page, "a wrong password");
      await picture(page, "sign-in-light-desktop");
      await page.getByLabel("Password").fill("a long first password");
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("heading", { name: "Issues" }).waitFor();
      expect(new URL(page.url()).pathname).toBe("/ACM/issues");
      expect(errors).toEqual([]);
    } finally {
      await secured.stop();
    }
  });
});
