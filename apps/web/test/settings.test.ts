import { mkdtemp, rm, writeFile } from "node:fs/promises";
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

const worker = { command: process.execPath, args: [new URL("fixture/worker.mjs", import.meta.url).pathname] };
// Long enough for a slow machine on which others work too.
const forPeople = 180_000;
const review = (text: string): string => `---\nname: review\ndescription: Reads a change twice.\n---\n${text}\n`;

describe.runIf(hasChromium)("the settings and the costs of a company, where nobody signs in", () => {
  let built: Built;
  let product: Product;
  let browser: TestBrowser;
  let visit: Visit;
  let companyId: string;
  let agentId: string;
  beforeAll(async () => {
    built = await buildProduct();
    product = await built.start();
    companyId = (await product.board.companies.create({ body: { name: "Acme", goal: "Make things" } })).id;
    const params = { companyId };
    const body = { name: "Ada", adapterType: "process", adapterConfig: worker };
    agentId = (await product.board.agents.create({ params, body })).id;
    browser = await startBrowser();
    visit = await browser.visit(product.url);
  }, 2 * forPeople);
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
    await built?.remove();
  });

  const go = async (path: string): Promise<void> => {
    await visit.page.goto(product.url + path);
    await settled(visit.page);
  };

  test("a company is changed; what cannot be is said at its field, and an older page overwrites nothing unasked", {
    timeout: forPeople,
  }, async () => {
    const { page } = visit;
    const params = { companyId };
    await go("/ACM/settings");
    await page.waitForURL("**/ACM/settings/company");
    await page.getByLabel("Days that the output of runs is kept").fill("9999");
    await page.getByRole("button", { name: "Save" }).click();
    await page.locator("input[aria-invalid=true]").waitFor();
    await page.getByRole("alert").waitFor();
    await page.getByLabel("Days that the output of runs is kept").fill("30");
    await page.getByLabel("Budget a month, in dollars").fill("250");
    await page.getByLabel("New agents need approval").uncheck();
    await page.getByRole("button", { name: "Save" }).click();
    const changed = { runOutputDays: 30, budgetMonthlyCents: 25_000, requireBoardApprovalForNewAgents: false };
    await expect.poll(() => product.board.companies.get({ params })).toMatchObject(changed);
    await expect.poll(() => page.getByRole("button", { name: "Undo" }).count()).toBe(0);
    await page.getByLabel("Goal").fill("Make good things");
    await product.board.companies.change({ params, body: { description: "Said elsewhere" } });
    await expect.poll(() => page.getByLabel("Description").inputValue()).toBe("Said elsewhere");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("alert").getByText("stale_revision").waitFor();
    await page.getByRole("button", { name: "Keep what I wrote, over what is there now" }).click();
    await page.getByRole("button", { name: "Save" }).click();
    await expect.poll(async () => (await product.board.companies.get({ params })).goal).toBe("Make good things");
    expect((await product.board.companies.get({ params })).description).toBe("Said elsewhere");
  });

  test("what was typed while the server was killed is there when it is back, also after a reload, and is saved", {
    timeout: forPeople,
  }, async () => {
    const { page } = visit;
    await go("/ACM/settings/company");
    await page.getByLabel("Goal").fill("Typed while nobody answered");
    await product.killServer();
    await page.getByText("The connection is lost.").waitFor();
    await product.startServer();
    await page.getByText("The connection is lost.").waitFor({ state: "detached" });
    await page.reload();
    await expect.poll(() => page.getByLabel("Goal").inputValue()).toBe("Typed while nobody answered");
    await page.getByRole("button", { name: "Save" }).click();
    const goal = async () => (await product.board.companies.get({ params: { companyId } })).goal;
    await expect.poll(goal).toBe("Typed while nobody answered");
  });

  test("a company is paused, resumed and archived after a question, and its page says so at once", {
    timeout: forPeople,
  }, async () => {
    const { page } = visit;
    await go("/ACM/settings/company");
    await page.getByRole("button", { name: "Pause the company" }).click();
    await expectAccessible(page, "the question before a pause");
    await page.getByRole("dialog").getByRole("button", { name: "Pause the company" }).click();
    await page.getByText("It is paused").waitFor();
    await page.getByRole("button", { name: "Resume the company" }).click();
    await page.getByText("It works").waitFor();
    await page.getByRole("button", { name: "Archive the company" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Archive the company" }).click();
    await page.getByText("It is archived").waitFor();
    expect(await page.getByLabel("Goal").count()).toBe(0);
    await product.board.companies.resume({ params: { companyId } });
    await page.getByText("It works").waitFor();
  });

  test("a secret is stored and rotated by name; its value is in no page, and who uses it is", {
    timeout: forPeople,
  }, async () => {
    const { page } = visit;
    await go("/ACM/settings/secrets");
    await page.getByRole("button", { name: "New secret" }).click();
    await page.getByLabel("Name").fill("deploy/key");
    await page.getByLabel("Value").fill("short");
    await page.getByRole("button", { name: "Store" }).click();
    await page.getByText("must have at least 8 bytes").first().waitFor();
    await expectAccessible(page, "a new secret");
    await page.getByLabel("Value").fill("open sesame, please");
    await page.getByRole("button", { name: "Store" }).click();
    const list = page.getByRole("list", { name: "Secrets" });
    await list.getByText("deploy/key").waitFor();
    const [secret] = (await product.board.secrets.list({ params: { companyId } })).items;
    const env = { DEPLOY_KEY: { type: "secret_ref", secretId: secret?.id ?? "", version: "latest" } };
    await product.board.agents.change({ params: { agentId }, body: { adapterConfig: { env } } });
    await list.getByRole("link", { name: "Ada" }).waitFor();
    await page.getByRole("button", { name: "New value of deploy/key" }).click();
    await page.getByRole("textbox", { name: "Value" }).fill("close sesame, please");
    await page.getByRole("button", { name: "Store as version 2" }).click();
    await list.getByText("version 2").waitFor();
    await page.reload();
    await list.getByText("version 2").waitFor();
    expect(await page.content()).not.toContain("sesame");
  });

  test("a skill is written, imported again from a folder, and brought to its agents", {
    timeout: forPeople,
  }, async () => {
    const { page } = visit;
    const folder = await mkdtemp(join(tmpdir(), "roster-skill-"));
    try {
      await writeFile(join(folder, "SKILL.md"), review("Read it."));
      await go("/ACM/settings/skills");
      await page.getByRole("button", { name: "Import skills" }).click();
      await page.getByLabel("Where").fill("/nowhere/at/all");
      await page.getByRole("dialog").getByRole("button", { name: "Import" }).click();
      await page.getByRole("alert").waitFor();
      await page.getByLabel("Where").fill(folder);
      await page.getByRole("dialog").getByRole("button", { name: "Import" }).click();
      await page.getByRole("button", { name: "Done" }).click();
      const list = page.getByRole("list", { name: "Skills" });
      await list.getByText("Reads a change twice.").waitFor();
      const [skill] = (await product.board.skills.list({ params: { companyId } })).items;
      const key = skill?.key ?? "";
      await product.board.configurations.syncSkills({ params: { agentId }, body: { desiredSkills: [key] } });
      await list.getByRole("link", { name: "Ada" }).waitFor();
      await writeFile(join(folder, "SKILL.md"), review("Read it twice."));
      await page.getByRole("button", { name: `Import again: ${key}` }).click();
      await list.getByText("1 with an older version").waitFor();
      await page.getByRole("button", { name: `Versions of ${key}` }).click();
      await page.getByText("Read it twice.").waitFor();
      await expectAccessible(page, "the versions of a skill");
      await picture(page, "skill-light-desktop");
      await page.getByRole("button", { name: "Bring to the present versions" }).click();
      await page.getByText("Present version").waitFor();
      await page.keyboard.press("Escape");
      await list.getByText("1 with an older version").waitFor({ state: "detached" });
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test("a skill is written here, and text that is no skill is refused in the service's words", {
    timeout: forPeople,
  }, async () => {
    const { page } = visit;
    await go("/ACM/settings/skills");
    await page.getByRole("button", { name: "Import skills" }).click();
    await page.getByLabel("They are").selectOption("text");
    await page.getByLabel("SKILL.md").fill("nothing of a skill");
    await page.getByRole("dialog").getByRole("button", { name: "Import" }).click();
    await page.getByRole("alert").waitFor();
    await page.getByLabel("SKILL.md").fill("---\nname: triage\ndescription: Sorts what comes in.\n---\nSort it.\n");
    await page.getByRole("dialog").getByRole("button", { name: "Import" }).click();
    await page.getByRole("dialog").getByText("local/triage").waitFor();
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByRole("list", { name: "Skills" }).getByText("Sorts what comes in.").waitFor();
  });

  test("a runner is registered with what is to be run, drained, resumed, stopped and removed", {
    timeout: forPeople,
  }, async () => {
    const { page } = visit;
    await go("/ACM/settings/runners");
    await page.getByRole("button", { name: "Register a runner" }).click();
    await page.getByLabel("Name").fill("cellar");
    await page.getByRole("button", { name: "Register", exact: true }).click();
    expect(await page.getByLabel("Token", { exact: true }).inputValue()).toMatch(/^svr_/);
    expect(await page.getByLabel("Start the runner", { exact: true }).inputValue()).toContain(product.url);
    await expectAccessible(page, "a registered runner");
    await picture(page, "registered-runner-light-desktop");
    await page.getByRole("button", { name: "Done" }).click();
    const row = page.getByRole("list", { name: "Runners" }).getByRole("listitem").filter({ hasText: "cellar" });
    await row.getByText("never seen").waitFor();
    await page.getByRole("button", { name: "Drain cellar" }).click();
    await row.getByText("Draining").waitFor();
    await page.getByRole("button", { name: "Resume cellar" }).click();
    await row.getByText("Active").waitFor();
    await page.getByRole("button", { name: "Stop cellar" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Stop it" }).click();
    await row.getByText("Stopped").waitFor();
    await page.getByRole("button", { name: "Remove cellar" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove it" }).click();
    await row.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Stop all runs" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Stop all runs" }).click();
    await page.getByText("no run starts, in any company").waitFor();
    await page.getByRole("button", { name: "Let runs start again" }).click();
    await page.getByText("Runs start, in every company that works.").waitFor();
  });

  test("costs are told by day, agent and model, with what had no price, and a budget is changed in place", {
    timeout: forPeople,
  }, async () => {
    const { page } = visit;
    const params = { companyId };
    const used = { agentId, provider: "anthropic", model: "claude-sonnet-4-5", inputTokens: 900, costCents: 1200 };
    await product.board.costs.report({ params, body: used });
    const unpriced = {
      agentId,
      provider: "nobody",
      model: "unheard-of",
      inputTokens: 1_000_000,
      outputTokens: 200_000,
    };
    await product.board.costs.report({ params, body: unpriced });
    await go("/ACM/costs");
    await page.getByRole("figure", { name: "Spend by day" }).waitFor();
    await page.getByRole("rowheader", { name: "unheard-of nobody" }).waitFor();
    await page.getByRole("rowheader", { name: "Ada" }).waitFor();
    await page.getByText("Without a price: counted at the rate for models that are not in the price table.").waitFor();
    await page.getByRole("button", { name: "Change the budget of Ada" }).click();
    await page.getByLabel("Budget a month, in dollars").fill("a lot");
    await page.getByText("An amount such as 25 or 12.50").waitFor();
    await page.getByLabel("Budget a month, in dollars").fill("80");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("list", { name: "Budgets" }).getByText("$80.00").waitFor();
    expect((await product.board.agents.get({ params: { agentId } })).budgetMonthlyCents).toBe(8000);
    await page.getByRole("link", { name: "The month before" }).click();
    await page.waitForURL(/[?]month=20\d\d-\d\d$/);
    await page.getByText(/^Nothing was spent in/).waitFor();
    await page.goBack();
    await page.getByRole("list", { name: "Budgets" }).waitFor();
  });

  test("the palette goes to settings, approvals and runs, and does the common things", {
    timeout: forPeople,
  }, async () => {
    const { page } = visit;
    const params = { companyId };
    const payload = { title: "A bigger machine", body: "The small one is full." };
    const asked = await product.board.approvals.request({ params, body: { type: "board_request", payload } });
    await go("/ACM");
    const choose = async (typed: string, option: string | RegExp): Promise<void> => {
      await page.keyboard.press("Control+k");
      await page.getByPlaceholder("Go to a page, an agent, an issue…").fill(typed);
      await page.getByRole("option", { name: option }).first().click();
    };
    await choose("secrets", "Settings: Secrets");
    await page.waitForURL("**/ACM/settings/secrets");
    await choose("bigger machine", /A bigger machine/);
    await page.waitForURL(`**/ACM/approvals/${asked.id}`);
    await choose("wake ada", "Wake Ada");
    const runs = async () => (await product.board.runs.list({ params, query: { status: "succeeded" } })).items.length;
    await expect.poll(runs, { timeout: forPeople }).toBe(1);
    await choose("run of ada", /^Run of Ada/);
    await page.waitForURL("**/ACM/runs/*");
    await choose("pause ada", "Pause Ada");
    const status = async () => (await product.board.agents.get({ params: { agentId } })).status;
    await expect.poll(status).toBe("paused");
    await choose("resume ada", "Resume Ada");
    await expect.poll(status).toBe("idle");
    await choose("theme", "Theme: light or dark");
    expect(await page.locator("html").getAttribute("data-theme")).toBe("dark");
    await page.evaluate(() => localStorage.removeItem("roster.theme"));
  });

  test("where nobody signs in, members and the account say so, and the mode what it means", {
    timeout: forPeople,
  }, async () => {
    const { page } = visit;
    for (const path of ["/ACM/settings/members", "/ACM/account"]) {
      await go(path);
      await page.getByText("Here nobody signs in").waitFor();
      expect(await page.getByRole("main").getByRole("button").count(), path).toBe(0);
    }
    await go("/ACM/settings/mode");
    await page.getByText("Every process of this machine is the board").waitFor();
    await page.setViewportSize(sizes.phone);
    await go("/ACM/settings/mode");
    const box = await page.getByRole("link", { name: "Mode", exact: true }).boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0), "the part that is shown is seen").toBeLessThan(sizes.phone.width);
    await page.setViewportSize(sizes.desktop);
    await page.getByRole("button", { name: "The board" }).click();
    await page.getByRole("menuitemcheckbox", { name: "Dark" }).waitFor();
    expect(await page.getByRole("menuitem", { name: "Your account" }).count()).toBe(0);
  });

  test("every screen of these, in both themes and sizes, is accessible", { timeout: 3 * forPeople }, async () => {
    const { page } = visit;
    const paths = ["company", "members", "secrets", "skills", "runners", "mode", "nothing"].map((section) => [
      `settings-${section}`,
      `/ACM/settings/${section}`,
    ]);
    for (const [name, path] of [...paths, ["costs-spent", "/ACM/costs"], ["account", "/ACM/account"]]) {
      await page.setViewportSize(sizes.desktop);
      await page.goto(product.url + path);
      for (const theme of themes) {
        await page.emulateMedia({ colorScheme: theme });
        for (const [size, viewport] of Object.entries(sizes)) {
          await page.setViewportSize(viewport);
          await settled(page);
          // A chart takes its new width a moment after the page.
          const wide = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
          await expect.poll(wide, { message: `${name} is wider than a ${size}` }).toBeLessThanOrEqual(0);
          await picture(page, `${name}-${theme}-${size}`);
        }
        await expectAccessible(page, `${name}, ${theme}`);
      }
    }
    expect(visit.errors).toEqual([]);
  });

  test("of more companies than a page of the API has, the oldest is found by typing", {
    timeout: forPeople,
  }, async () => {
    const { page } = visit;
    for (let at = 0; at < 205; at += 1) {
      await product.board.companies.create({ body: { name: `Company ${at}`, issuePrefix: `C${at}` } });
    }
    await go("/ACM");
    await page.getByRole("heading", { name: "Needs you" }).waitFor();
    await go("/C0");
    await page.getByRole("button", { name: "Company 0" }).click();
    await page.getByRole("menuitem", { name: "Find a company…" }).click();
    await page.getByPlaceholder("Find a company…").fill("ACM");
    await page.getByRole("option", { name: /^Acme/ }).click();
    await page.waitForURL("**/ACM");
    await page.getByRole("heading", { name: "Needs you" }).waitFor();
  });
});
