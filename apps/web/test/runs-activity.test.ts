import type { Page } from "playwright-core";
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

const worker = { command: process.execPath, args: [new URL("fixture/worker.mjs", import.meta.url).pathname] };
const forPeople = 60_000;

describe.runIf(hasChromium)("runs, the log and what waits, in a browser", () => {
  let built: Built;
  let product: Product;
  let browser: TestBrowser;
  let visit: Visit;
  let companyId: string;
  let adaId: string;
  beforeAll(async () => {
    built = await buildProduct();
    product = await built.start();
    companyId = (await product.board.companies.create({ body: { name: "Acme" } })).id;
    adaId = await hire("Ada", worker);
    browser = await startBrowser();
    visit = await browser.visit(product.url);
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
    await built?.remove();
  });

  const hire = async (name: string, adapterConfig: { command: string; args?: string[] }): Promise<string> => {
    const body = { name, adapterType: "process", adapterConfig };
    return (await product.board.agents.create({ params: { companyId }, body })).id;
  };
  const go = async (path: string): Promise<Page> => {
    await visit.page.goto(`${product.url}/ACM${path}`);
    await settled(visit.page);
    return visit.page;
  };
  /** An issue that Ada works on until somebody says go, and the run of it. */
  const begin = async (title: string) => {
    const body = { title, description: "Wait for go.", assigneeAgentId: adaId };
    const { id: issueId } = await product.board.issues.create({ params: { companyId }, body });
    const runs = async () =>
      (await product.board.runs.list({ params: { companyId }, query: { issueId, status: "running" } })).items;
    await expect.poll(async () => (await runs()).length, { timeout: 30_000 }).toBe(1);
    const say = () => product.board.issues.addComment({ params: { issueId }, body: { body: "go" } });
    return { issueId, runId: (await runs())[0]?.id ?? "", say };
  };

  test("the log of a run is read as it is printed, and the transcript as it is told, until the run is over", {
    timeout: 2 * forPeople,
  }, async () => {
    const { runId, say } = await begin("Be read while you work");
    const page = await go(`/runs/${runId}?tab=log`);
    const log = page.getByRole("region", { name: "Log" });
    await log.getByText("reading README.md").waitFor();
    expect(await log.getByLabel("Follow").isChecked()).toBe(true);
    await expectAccessible(page, "a log that is followed");
    await page.getByRole("tab", { name: "Transcript" }).click();
    const transcript = page.getByRole("region", { name: "Transcript" });
    await transcript.getByText("It goes on.").waitFor();
    await say();
    await transcript.getByText("It is done.").waitFor();
    await page.getByRole("main").getByText("Succeeded").waitFor();
    await page.getByRole("tab", { name: "Log" }).click();
    await log.getByText("reading README.md").waitFor();
    await expect.poll(() => log.getByLabel("Follow").count()).toBe(0);
  });

  test("from a run one comes to its cause, and to the picture of everything that came of it", {
    timeout: forPeople,
  }, async () => {
    const { items } = await product.board.runs.list({ params: { companyId }, query: { status: "succeeded" } });
    const page = await go(`/runs/${items.at(-1)?.id}?tab=cause`);
    const causes = page.getByRole("list", { name: "Causes, nearest first" });
    await causes.getByText("what began it").waitFor();
    await page.getByRole("list", { name: "Wakes" }).getByText("Be read while you work").waitFor();
    await causes.getByRole("link").first().click();
    const dialog = page.getByRole("dialog");
    const tree = dialog.getByRole("list", { name: "Causes and effects" });
    await tree.getByText("created ACM-1").waitFor();
    await tree.getByText("settled the run of Ada").waitFor();
    expect(await tree.locator("[aria-current=true]").count()).toBe(1);
    await expectAccessible(page, "the picture of causes");
    for (const theme of themes) {
      await page.emulateMedia({ colorScheme: theme });
      for (const [size, viewport] of Object.entries(sizes)) {
        await page.setViewportSize(viewport);
        await picture(page, `causes-${theme}-${size}`);
      }
    }
    await page.setViewportSize(sizes.desktop);
    await page.emulateMedia({ colorScheme: "light" });
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    expect(new URL(page.url()).search).toBe("");
  });

  test("a run is cancelled, and its agent runs again about the same issue", { timeout: 2 * forPeople }, async () => {
    const { runId, issueId, say } = await begin("Be stopped");
    const page = await go(`/runs/${runId}`);
    await page.getByRole("button", { name: "Cancel" }).click();
    const again = page.getByRole("button", { name: "Run again" });
    await again.waitFor({ timeout: 30_000 });
    await page.getByRole("main").getByText("Cancelled").first().waitFor();
    await picture(page, "run-cancelled-light-desktop");
    await again.click();
    await expect.poll(() => new URL(page.url()).pathname).not.toBe(`/ACM/runs/${runId}`);
    await say();
    await page.getByRole("main").getByText("Succeeded").waitFor({ timeout: 30_000 });
    const { items } = await product.board.runs.list({ params: { companyId }, query: { issueId } });
    expect(items.find(({ id }) => page.url().endsWith(id))).toMatchObject({ agentId: adaId, issueId });
    await page.getByRole("link", { name: "Its issue" }).click();
    const runs = page.getByRole("list", { name: "Runs about this issue" });
    await expect.poll(() => runs.getByRole("listitem").count()).toBe(items.length);
  });

  test("the log is filtered by who, what and when, all of it in the address; the export is of the same entries", {
    timeout: forPeople,
  }, async () => {
    const page = await go("/activity");
    await page.getByLabel("About", { exact: true }).selectOption("issue");
    await page.getByLabel("What happened").selectOption("issue.created");
    await page.getByLabel("Done by").selectOption({ label: "By me" });
    const entries = page.getByRole("list", { name: "Entries" }).getByRole("listitem");
    await expect.poll(() => entries.count()).toBe(2);
    await page.reload();
    await expect.poll(() => entries.count()).toBe(2);
    const href = (await page.getByRole("link", { name: "Export" }).getAttribute("href")) ?? "";
    const exported = await page.evaluate(async (path) => (await fetch(path)).text(), href);
    const lines = exported.trim().split("\n");
    expect(lines.map((line) => (JSON.parse(line) as { action: string }).action)).toEqual([
      "issue.created",
      "issue.created",
    ]);
    const all = (await product.board.activity.list({ params: { companyId }, query: { limit: 200 } })).items;
    await page.goto(`${product.url}/ACM/activity?since=2000-01-01`);
    await settled(page);
    await expect.poll(() => entries.first().getByRole("link").first().textContent()).toBe("#1");
    await page.getByLabel("From this day on").fill("2999-01-01");
    await page.getByText("Nothing of that kind happened yet").waitFor();
    await page.goto(`${product.url}/ACM/activity?agent=${adaId}`);
    await settled(page);
    const about = (await product.board.activity.list({ params: { companyId }, query: { agentId: adaId, limit: 100 } }))
      .items;
    expect(about.length).toBeLessThan(all.length);
    await expect.poll(() => entries.count()).toBe(about.length);
  });

  test("the keys of the log: through the entries, to what led to one, and to what it is about", {
    timeout: forPeople,
  }, async () => {
    const page = await go("/activity?action=issue.created");
    const entries = page.getByRole("list", { name: "Entries" }).getByRole("listitem");
    await expect.poll(() => entries.count()).toBe(2);
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").getByText("created ACM-1").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await entries.last().getByRole("link").first().focus();
    await page.keyboard.press("o");
    await page.waitForURL("**/ACM/issues/ACM-1");
  });

  test("what waits is decided where it stands, with a note; what went wrong is dismissed", {
    timeout: 2 * forPeople,
  }, async () => {
    const { board } = product;
    const payload = { title: "May we dig?", body: "A **deep** hole." };
    const asked = await board.approvals.request({ params: { companyId }, body: { type: "board_request", payload } });
    const brokenId = await hire("Broken", { command: "/nowhere/at/all" });
    await board.runs.invoke({ params: { agentId: brokenId } });
    const page = await go("");
    const queue = page.getByRole("list", { name: "What waits for you" });
    const wrong = queue.getByRole("listitem").filter({ has: page.getByRole("button", { name: "Dismiss" }) });
    await wrong.waitFor({ timeout: 30_000 });
    await queue.getByRole("button", { name: "Decide: May we dig?" }).click();
    await queue.getByText("deep").waitFor();
    await queue.getByLabel("Note to the requester").fill("Not too deep.");
    await expectAccessible(page, "deciding in place");
    await picture(page, "needs-decide-light-desktop");
    await page.setViewportSize(sizes.phone);
    await picture(page, "needs-decide-light-phone");
    await page.setViewportSize(sizes.desktop);
    await queue.getByRole("button", { name: "Approve" }).click();
    await expect.poll(() => queue.getByText("May we dig?").count()).toBe(0);
    expect(await board.approvals.get({ params: { approvalId: asked.id } })).toMatchObject({
      status: "approved",
      decisionNote: "Not too deep.",
    });
    await wrong.getByRole("button", { name: "Dismiss" }).click();
    await page.getByText("Nothing waits for you").waitFor();
    expect((await board.attention.list({ params: { companyId } })).items).toEqual([]);
  });

  test("what was proposed anew while one looked is not decided by mistake", { timeout: forPeople }, async () => {
    const { board } = product;
    const payload = { title: "A bigger machine", body: "The small one is full." };
    const asked = await board.approvals.request({ params: { companyId }, body: { type: "board_request", payload } });
    const page = await go("");
    const params = { approvalId: asked.id };
    await page.getByRole("button", { name: "Decide: A bigger machine" }).click();
    await page.getByLabel("Note to the requester").fill("Fine.");
    await page.route("**/approvals?*", (route) => route.abort());
    await board.approvals.requestRevision({ params, body: {} });
    await board.approvals.resubmit({ params, body: { payload: { body: "Both are full." } } });
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByRole("alert").getByText("payload_changed").waitFor();
    expect(await page.getByLabel("Note to the requester").inputValue()).toBe("Fine.");
    await page.unroute("**/approvals?*");
    expect((await board.approvals.get({ params })).status).toBe("pending");
  });

  test("every screen of runs, log and queue, in both themes and sizes, is accessible", {
    timeout: 3 * forPeople,
  }, async () => {
    const { items } = await product.board.runs.list({ params: { companyId }, query: { status: "succeeded" } });
    const run = `/runs/${items.at(-1)?.id}`;
    const paths = { run, "run-cause": `${run}?tab=cause`, activity: "/activity", needs: "" };
    for (const [name, path] of Object.entries(paths)) {
      const page = await go(path);
      for (const theme of themes) {
        await page.emulateMedia({ colorScheme: theme });
        for (const [size, viewport] of Object.entries(sizes)) {
          await page.setViewportSize(viewport);
          await settled(page);
          await picture(page, `work-${name}-${theme}-${size}`);
        }
        await expectAccessible(page, `${name}, ${theme}`);
      }
      await page.setViewportSize(sizes.desktop);
    }
    expect(visit.errors).toEqual([]);
  });
});
