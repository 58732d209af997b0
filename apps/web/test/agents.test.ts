import type { Agent } from "@roster/client";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
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
const skill = (text: string) => ({ "SKILL.md": `---\nname: Greeting\ndescription: How we greet\n---\n\n${text}\n` });

describe.runIf(hasChromium)("agents in a browser", () => {
  let built: Built;
  let product: Product;
  let browser: TestBrowser;
  let visit: Visit;
  let companyId: string;
  let count = 0;
  let agent: Agent;
  beforeAll(async () => {
    built = await buildProduct();
    product = await built.start();
    browser = await startBrowser();
    companyId = (await product.board.companies.create({ body: { name: "Acme" } })).id;
    visit = await browser.visit(`${product.url}/ACM/agents`);
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
    await built?.remove();
  });
  beforeEach(async () => {
    count += 1;
    agent = await product.board.agents.create({
      params: { companyId },
      body: {
        name: `Nova ${count}`,
        role: "engineer",
        title: "Engineer of greetings",
        adapterType: "process",
        adapterConfig: { command: "true", env: { LANG: "C" } },
        instructionsBundle: { files: { "AGENTS.md": "# Nova\n\nYou greet people.\n" } },
        budgetMonthlyCents: 2000,
      },
    });
  });

  const go = async (path: string): Promise<void> => {
    await visit.page.goto(product.url + path);
    await settled(visit.page);
  };
  const tab = (name: string): Promise<void> => go(`/ACM/agents/${agent.urlKey}?tab=${name}`);
  const present = () => product.board.agents.get({ params: { agentId: agent.id } });
  const preview = () => visit.page.getByRole("button", { name: "Preview the change" }).click();
  const save = async (): Promise<void> => {
    await visit.page.getByRole("button", { name: "Save as a new revision" }).click();
    await visit.page.getByRole("dialog").waitFor({ state: "detached" });
  };

  test("all of a configuration is changed at once, after seeing what that changes", {
    timeout: forPeople,
  }, async () => {
    const { page } = visit;
    await tab("configuration");
    await page.getByLabel("Title").fill("Chief greeter");
    await page.getByLabel("What it owns and can do").fill("Greets, and is greeted.");
    await page.getByLabel("Assign issues to anyone").check();
    await page.getByLabel("Budget a month, in dollars").fill("75.50");
    await page.getByLabel("Most one run may cost, in dollars").fill("2");
    await page.getByLabel("Is woken by a timer too").check();
    await page.getByLabel("Every so many seconds").fill("3600");
    await page.getByLabel("model", { exact: true }).fill("small");
    await page.getByText(/more settings, all as usual$/).click();
    await page.getByLabel("timeoutSec", { exact: true }).fill("600");
    await page.getByLabel("args", { exact: true }).fill("one\ntwo words");
    await page.getByLabel("Name of a new variable").fill("COLOR");
    await page.getByRole("button", { name: "Add" }).click();
    await page.getByLabel("Value of COLOR").fill("blue");
    await expectAccessible(page, "a configuration that is being changed");
    await picture(page, "agent-editing-light-desktop");
    await preview();
    const differences = page.getByRole("dialog").getByRole("list", { name: "What differs" });
    for (const text of ["Chief greeter", "7550", "adapterConfig.env.COLOR", "runtimeConfig.heartbeat.intervalSec"]) {
      await differences.getByText(text).first().waitFor();
    }
    await expectAccessible(page, "the preview of a change");
    await picture(page, "agent-preview-light-desktop");
    await save();
    expect(await present()).toMatchObject({
      title: "Chief greeter",
      capabilities: "Greets, and is greeted.",
      permissions: { canAssignTasks: true, canCreateAgents: false, canManageSkills: false },
      budgetMonthlyCents: 7550,
      runtimeConfig: { maxRunCostCents: 200, heartbeat: { enabled: true, intervalSec: 3600 } },
      adapterConfig: { command: "true", model: "small", timeoutSec: 600, args: ["one", "two words"] },
      revisionNumber: 2,
    });
    expect((await present()).adapterConfig["env"]).toMatchObject({ LANG: "C", COLOR: "blue" });
    expect(await page.getByRole("region", { name: "Your change" }).count()).toBe(0);
    await page.getByLabel("Title").fill("Another title");
    await page.getByRole("region", { name: "Your change" }).getByText("1 change, not saved").waitFor();
    expect(await page.getByRole("dialog").count()).toBe(0);
    expect(visit.errors).toEqual([]);
  });

  test("what the service refuses is said at its field, and what was typed stays", { timeout: forPeople }, async () => {
    const { page } = visit;
    await tab("configuration");
    await page.getByText(/more settings, all as usual$/).click();
    await page.getByLabel("timeoutSec", { exact: true }).fill("0");
    await page.getByLabel("Name", { exact: true }).fill("");
    await preview();
    await page.getByRole("button", { name: "Save as a new revision" }).click();
    await page.getByRole("dialog").getByRole("alert").waitFor();
    await page.getByRole("button", { name: "Go on editing" }).click();
    await expect.poll(() => page.getByLabel("Name", { exact: true }).getAttribute("aria-invalid")).toBe("true");
    await page.getByRole("tab", { name: "Now" }).click();
    await page.getByRole("tab", { name: "Configuration" }).click();
    expect(await page.getByLabel("timeoutSec", { exact: true }).inputValue()).toBe("0");
    await expectAccessible(page, "a refused configuration");
    await page.getByRole("button", { name: "Discard" }).click();
    await expect.poll(() => page.getByLabel("Name", { exact: true }).inputValue()).toBe(agent.name);
    expect((await present()).revisionNumber).toBe(1);
  });

  test("who was overtaken sees what was changed next to what was typed, and chooses", {
    timeout: forPeople,
  }, async () => {
    const { page } = visit;
    await tab("configuration");
    await page.getByLabel("Title").fill("As I typed it");
    await page.getByLabel("Role").fill("greeter");
    const body = { title: "As somebody else did", capabilities: "Theirs." };
    await product.board.agents.change({ params: { agentId: agent.id }, body });
    await page.getByText("Somebody else changed it meanwhile.").waitFor();
    await preview();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Theirs.").waitFor();
    await dialog.getByText("As I typed it").waitFor();
    await expectAccessible(page, "a change that was overtaken");
    await picture(page, "agent-overtaken-light-desktop");
    await dialog.getByRole("radio", { name: "What is there now" }).check();
    await dialog.getByRole("button", { name: "Go on with this" }).click();
    await save();
    expect(await present()).toMatchObject({ ...body, role: "greeter" });
  });

  test("a change that a page did not hear of is refused, not overwritten", { timeout: forPeople }, async () => {
    const { page } = visit;
    await tab("configuration");
    await page.getByLabel("Title").fill("Mine");
    await preview();
    let letGo = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await page.route(`**/api/agents/${agent.urlKey}?*`, async (route) => {
      await released;
      await route.continue();
    });
    await product.board.agents.change({ params: { agentId: agent.id }, body: { title: "Theirs", role: "other" } });
    const answered = page.waitForResponse((response) => response.request().method() === "PATCH");
    await page.getByRole("button", { name: "Save as a new revision" }).click();
    expect((await answered).status()).toBe(412);
    letGo();
    await page.getByRole("heading", { name: "Somebody else changed it meanwhile" }).waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Go on with this" }).click();
    await save();
    expect(await present()).toMatchObject({ title: "Mine", role: "other" });
  });

  test("instructions are files: written, read as they will be read, compared and saved", {
    timeout: forPeople,
  }, async () => {
    const { page } = visit;
    await tab("instructions");
    await page.getByLabel("Text of AGENTS.md").fill("# Nova\n\nYou greet **nobody**.\n");
    await page.getByRole("button", { name: "Read", exact: true }).click();
    await page.locator("strong", { hasText: "nobody" }).waitFor();
    await page.getByLabel("Name of a new file").fill("notes/style.md");
    await page.getByRole("button", { name: "Add a file" }).click();
    await page.getByRole("button", { name: "Write", exact: true }).click();
    await page.getByLabel("Text of notes/style.md").fill("Be brief.\n");
    await page.getByRole("button", { name: "Compare" }).click();
    await page.getByText("+You greet **nobody**.").waitFor();
    await page.getByText("+Be brief.").waitFor();
    await expectAccessible(page, "instructions that are compared");
    await picture(page, "agent-instructions-light-desktop");
    await preview();
    await save();
    expect((await present()).instructionsBundle).toEqual({
      entryFile: "AGENTS.md",
      files: { "AGENTS.md": "# Nova\n\nYou greet **nobody**.\n", "notes/style.md": "Be brief.\n" },
    });
    expect(visit.errors).toEqual([]);
  });

  test("skills are given, brought to the present version and taken, and their state is seen", {
    timeout: forPeople,
  }, async () => {
    const { page } = visit;
    const params = { companyId };
    await product.board.skills.import({ params, body: { files: skill("Say hello.") } });
    await tab("skills");
    await page.getByLabel("Give it a skill").selectOption("local/greeting");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    const list = page.getByRole("list", { name: "Its skills" });
    await list.getByText("Synced").waitFor();
    await product.board.skills.import({ params, body: { files: skill("Say good morning.") } });
    await list.getByText("Drifted").waitFor();
    await expectAccessible(page, "skills");
    await picture(page, "agent-skills-light-desktop");
    await list.getByRole("button", { name: "Sync local/greeting" }).click();
    await list.getByText("Synced").waitFor();
    await list.getByRole("button", { name: "Remove local/greeting" }).click();
    await page.getByText("It has none.").waitFor();
    expect((await present()).desiredSkills).toEqual([]);
  });

  test("a key is shown once, listed without its token, and revoked", { timeout: forPeople }, async () => {
    const { page } = visit;
    await tab("keys");
    await page.getByLabel("Name of a new key").fill("laptop");
    await page.getByRole("button", { name: "Make a key" }).click();
    const token = await page.getByLabel("The key laptop", { exact: true }).inputValue();
    expect(token).toMatch(/^svk_/);
    const me = await fetch(`${product.url}/api/agents/me`, { headers: { authorization: `Bearer ${token}` } });
    expect(me.status).toBe(200);
    await expectAccessible(page, "a new key");
    await picture(page, "agent-key-light-desktop");
    await page.getByRole("button", { name: "I have it" }).click();
    await page.reload();
    await page.getByRole("list", { name: "Keys" }).getByText("laptop").waitFor();
    expect(await page.content()).not.toContain(token);
    await page.getByRole("button", { name: "Revoke laptop" }).click();
    await page.getByRole("button", { name: "Revoke it" }).click();
    await page.getByText("It has none.").waitFor();
    const after = await fetch(`${product.url}/api/agents/me`, { headers: { authorization: `Bearer ${token}` } });
    expect(after.status).toBe(401);
  });

  test("an agent is paused, resumed and woken, and for good only after a question", {
    timeout: forPeople,
  }, async () => {
    const { page } = visit;
    await tab("now");
    await page.getByRole("button", { name: "Pause" }).click();
    await page
      .getByRole("list", { name: /^Reasons/ })
      .getByRole("button", { name: "Resume" })
      .click();
    await page.getByRole("button", { name: "Wake", exact: true }).click();
    await page.getByText("Woken").first().waitFor();
    await page.getByRole("button", { name: "Terminate" }).click();
    await page.getByRole("button", { name: "Keep it" }).click();
    expect((await present()).status).not.toBe("terminated");
    await page.getByRole("button", { name: "Terminate" }).click();
    await page.getByRole("button", { name: "Terminate for good" }).click();
    await expect.poll(async () => (await present()).status).toBe("terminated");
    await tab("configuration");
    expect(await page.getByLabel("Title").count()).toBe(0);
  });

  test("a chart of more than two hundred is whole; it is moved, zoomed, and acted on", {
    timeout: 3 * forPeople,
  }, async () => {
    const { page } = visit;
    const company = await product.board.companies.create({ body: { name: "Large" } });
    const params = { companyId: company.id };
    const hire = (name: string, reportsTo: string | null) => {
      const body = { name, role: "worker", reportsTo, adapterType: "process", adapterConfig: { command: "true" } };
      return product.board.agents.create({ params, body });
    };
    const boss = await hire("Boss", null);
    const leads = await Promise.all(Array.from({ length: 4 }, (_, index) => hire(`Lead ${index}`, boss.id)));
    for (const lead of leads) {
      await Promise.all(Array.from({ length: 52 }, (_, index) => hire(`${lead.name}-${index}`, lead.id)));
    }
    await go(`/${company.issuePrefix}/agents?view=chart`);
    const chart = page.getByRole("region", { name: "Org chart" });
    await expect.poll(() => chart.getByRole("listitem").count()).toBe(213);
    const scale = async (): Promise<number> => Number.parseInt(await page.getByText(/^\d+ %$/).innerText(), 10);
    await page.getByRole("button", { name: "All of it" }).click();
    const whole = await scale();
    await expectAccessible(page, "a large chart");
    await picture(page, "org-large-light-desktop");
    const box = await chart.boundingBox();
    await page.mouse.move((box?.x ?? 0) + 400, (box?.y ?? 0) + 200);
    await page.mouse.wheel(0, -800);
    await expect.poll(scale).toBeGreaterThan(whole);
    const bossLink = chart.getByRole("link", { name: "Boss" });
    await bossLink.focus();
    await page.keyboard.press("-");
    await page.keyboard.press("+");
    const before = await bossLink.boundingBox();
    await page.keyboard.press("ArrowRight");
    await expect.poll(async () => (await bossLink.boundingBox())?.x).toBeLessThan(before?.x ?? 0);
    const at = await chart.boundingBox();
    await page.mouse.move((at?.x ?? 0) + 30, (at?.y ?? 0) + 250);
    await page.mouse.down();
    const dragged = await bossLink.boundingBox();
    await page.mouse.move((at?.x ?? 0) + 130, (at?.y ?? 0) + 280, { steps: 4 });
    await page.mouse.up();
    await expect.poll(async () => (await bossLink.boundingBox())?.x).toBeGreaterThan(dragged?.x ?? 0);
    await chart.getByRole("button", { name: "Pause Boss" }).click();
    await chart.getByRole("button", { name: "Resume Boss" }).click();
    await chart.getByRole("button", { name: "Pause Boss" }).waitFor();
    await page.setViewportSize(sizes.phone);
    await page.reload();
    await expect.poll(() => chart.getByRole("listitem").count()).toBe(213);
    await page.getByText(/^\d+ %$/).waitFor();
    await picture(page, "org-large-light-phone");
    await expectAccessible(page, "a large chart on a phone");
    await page.setViewportSize(sizes.desktop);
    await go(`/${company.issuePrefix}/agents`);
    await expect.poll(() => page.getByRole("list", { name: "Agents" }).getByRole("listitem").count()).toBe(213);
    expect(visit.errors).toEqual([]);
  });

  test("a hire is read at a glance: its line, its money, what it may touch, its skills, and what is decided", {
    timeout: forPeople,
  }, async () => {
    const { page } = visit;
    const params = { companyId };
    const secret = await product.board.secrets.create({ params, body: { name: "github", value: "0123456789" } });
    await product.board.skills.import({ params, body: { files: skill("Say hello.") } });
    const { approval } = await product.board.hires.request({
      params,
      body: {
        name: "Mia",
        role: "engineer",
        title: "Reviewer",
        reportsTo: agent.id,
        capabilities: "Reads every change twice.",
        adapterType: "claude_local",
        adapterConfig: { env: { GH_TOKEN: { type: "secret_ref", secretId: secret.id } } },
        instructionsBundle: { files: { "AGENTS.md": "# Mia\n\nRead it twice.\n" } },
        desiredSkills: ["greeting"],
        permissions: { canCreateAgents: true },
        budgetMonthlyCents: 3000,
      },
    });
    await go(`/ACM/approvals/${approval?.id}`);
    const touches = page.getByRole("list", { name: "What it may touch" });
    for (const text of ["The secret github", "Is not held back: dangerouslySkipPermissions", "Hires without asking"]) {
      await touches.getByText(text).waitFor();
    }
    await page.getByRole("list", { name: "Proposed skills" }).getByText("How we greet").waitFor();
    await page.getByText("Read it twice.").waitFor();
    await page.getByText(approval?.payloadDigest.slice(0, 12) ?? "").waitFor();
    await page.getByLabel("Note to the requester").fill("Why does it hire?");
    for (const theme of themes) {
      await page.emulateMedia({ colorScheme: theme });
      for (const [size, viewport] of Object.entries(sizes)) {
        await page.setViewportSize(viewport);
        await picture(page, `hire-glance-${theme}-${size}`);
      }
      await expectAccessible(page, `a hire, ${theme}`);
    }
    await page.reload();
    expect(await page.getByLabel("Note to the requester").inputValue()).toBe("Why does it hire?");
    const asked = page.waitForRequest((request) => request.url().endsWith("/reject"));
    await page.getByRole("button", { name: "Reject" }).click();
    expect((await asked).postDataJSON()).toEqual({
      decisionNote: "Why does it hire?",
      payloadDigest: approval?.payloadDigest,
    });
    await page.getByRole("main").getByText("Rejected", { exact: true }).waitFor();
    expect(visit.errors).toEqual([]);
  });

  test("every tab, in both themes and sizes, is accessible", { timeout: 3 * forPeople }, async () => {
    const { page } = visit;
    for (const name of ["now", "configuration", "instructions", "skills", "keys", "revisions"]) {
      await page.setViewportSize(sizes.desktop);
      await tab(name);
      for (const theme of themes) {
        await page.emulateMedia({ colorScheme: theme });
        for (const [size, viewport] of Object.entries(sizes)) {
          await page.setViewportSize(viewport);
          await settled(page);
          await picture(page, `agent-${name}-${theme}-${size}`);
        }
        await expectAccessible(page, `${name}, ${theme}`);
      }
    }
    expect(visit.errors).toEqual([]);
  });
});
