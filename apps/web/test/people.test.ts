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
  type Visit,
} from "./fixture/browser.ts";
import { addressOf, claimed, invited, type Person, password, signedIn } from "./fixture/person.ts";
import { type Built, buildProduct, type Product } from "./fixture/product.ts";

const worker = { command: process.execPath, args: [new URL("fixture/worker.mjs", import.meta.url).pathname] };
// Long enough for a slow machine on which others work too.
const forPeople = 180_000;

describe.runIf(hasChromium)("a company with several people in a browser", () => {
  let built: Built;
  let product: Product;
  let browser: TestBrowser;
  let visit: Visit;
  let ada: Person;
  let companyId: string;
  beforeAll(async () => {
    built = await buildProduct();
    product = await built.start({ SERVICE_MODE: "authenticated" });
    ada = await claimed(product, "Ada");
    companyId = (await ada.client.companies.create({ body: { name: "Acme" } })).id;
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
  const sit = async (person: Person, path: string): Promise<void> => {
    await person.sitDown(visit.page.context());
    await go(path);
  };

  test("somebody is invited by a link that is shown once, comes in with it, and is a member", {
    timeout: forPeople,
  }, async () => {
    const { page } = visit;
    await sit(ada, "/ACM/settings/members");
    await page.getByRole("button", { name: "Invite" }).click();
    await page.getByLabel("E-mail address").fill(addressOf("Ada"));
    await page.getByRole("button", { name: "Make the link" }).click();
    await page.locator("input[aria-invalid=true]").waitFor();
    await page.getByLabel("E-mail address").fill(addressOf("Bea"));
    await page.getByRole("dialog").getByLabel("Role").selectOption("viewer");
    await page.getByRole("button", { name: "Make the link" }).click();
    const link = await page.getByRole("textbox", { name: "Link" }).inputValue();
    await expectAccessible(page, "a link");
    await picture(page, "invited-light-desktop");
    await page.getByRole("button", { name: "Done" }).click();
    const open = page.getByRole("list", { name: "Open invitations" });
    await open.getByText(addressOf("Bea")).waitFor();
    await ada.client.invitations.create({ params: { companyId }, body: { email: addressOf("Cid"), role: "admin" } });
    await page.getByRole("button", { name: `Take back the invitation of ${addressOf("Cid")}` }).click();
    await open.getByText(addressOf("Cid")).waitFor({ state: "detached" });
    await page.context().clearCookies();
    await page.goto(link);
    await page.getByLabel("Your name").fill("Bea");
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Join" }).click();
    await page.getByRole("button", { name: "Bea" }).waitFor();
    await go("/ACM/settings/members");
    const members = page.getByRole("list", { name: "Members" });
    await members.getByText("Ada", { exact: true }).waitFor();
    expect(await page.content()).not.toContain(addressOf("Ada"));
    expect(await page.getByRole("button", { name: "Invite" }).count()).toBe(0);
  });

  test("members are known by their names, and get another role or go, at once", { timeout: forPeople }, async () => {
    const { page } = visit;
    const dan = await invited(product, ada, { companyId, name: "Dan", role: "operator" });
    const issue = await dan.client.issues.create({ params: { companyId }, body: { title: "Written by Dan" } });
    await dan.client.issues.addComment({ params: { issueId: issue.id }, body: { body: "What I think." } });
    await sit(ada, `/ACM/issues/${issue.identifier}`);
    const comment = page.getByRole("list", { name: "Comments" }).getByRole("listitem").filter({ hasText: "I think" });
    await comment.getByText("Dan").waitFor();
    await go("/ACM/settings/members");
    await page.getByLabel("Role of Dan").selectOption("admin");
    const { user } = await dan.client.auth.session();
    const params = { companyId, memberId: user.id };
    await expect.poll(async () => (await ada.client.members.get({ params })).role).toBe("admin");
    await expectAccessible(page, "members");
    await picture(page, "settings-members-of-admins-light-desktop");
    await page.setViewportSize(sizes.phone);
    await picture(page, "settings-members-of-admins-light-phone");
    await page.setViewportSize(sizes.desktop);
    await page.getByLabel("Role of Ada").selectOption("viewer");
    await page.getByRole("alert").getByText("last owner").first().waitFor();
    await page.getByRole("button", { name: "Remove Dan" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove", exact: true }).click();
    await page.getByLabel("Role of Dan").waitFor({ state: "detached" });
    await expect(dan.client.issues.list({ params: { companyId } })).rejects.toMatchObject({ code: "other_company" });
  });

  test("who becomes more than a viewer can act without loading the page again, and the other way round", {
    timeout: forPeople,
  }, async () => {
    const { page } = visit;
    const eve = await invited(product, ada, { companyId, name: "Eve", role: "viewer" });
    const { user } = await eve.client.auth.session();
    const params = { companyId, memberId: user.id };
    await sit(eve, "/ACM/settings/skills");
    await page.getByRole("button", { name: "Eve" }).waitFor();
    expect(await page.getByRole("button", { name: "Import skills" }).count()).toBe(0);
    await ada.client.members.change({ params, body: { role: "operator" } });
    await page.getByRole("button", { name: "Import skills" }).first().waitFor();
    await ada.client.members.change({ params, body: { role: "viewer" } });
    await page.getByRole("button", { name: "Import skills" }).waitFor({ state: "detached" });
  });

  test("one's sessions are listed and ended, one elsewhere and then all", { timeout: forPeople }, async () => {
    const { page } = visit;
    const here = await invited(product, ada, { companyId, name: "Fay", role: "operator" });
    const there = await signedIn(product, "Fay");
    await sit(here, "/ACM/account");
    await page.getByText(addressOf("Fay")).waitFor();
    await page.getByText("This one").waitFor();
    await expectAccessible(page, "an account");
    await picture(page, "account-of-somebody-light-desktop");
    await page.getByRole("button", { name: "Sign out there" }).click();
    await page.getByRole("button", { name: "Sign out there" }).waitFor({ state: "detached" });
    await expect(there.client.auth.session()).rejects.toMatchObject({ status: 401 });
    const again = await signedIn(product, "Fay");
    await page.getByRole("button", { name: "Sign out everywhere" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Sign out everywhere" }).click();
    await page.getByRole("heading", { name: "Sign in to Roster" }).waitFor();
    for (const { client } of [here, again]) await expect(client.auth.session()).rejects.toMatchObject({ status: 401 });
  });

  test("who is removed, or signed out elsewhere, is shown that on the open page", {
    timeout: 2 * forPeople,
  }, async () => {
    const { page } = visit;
    const ivy = await invited(product, ada, { companyId, name: "Ivy", role: "operator" });
    await sit(ivy, "/ACM/issues");
    const { user } = await ivy.client.auth.session();
    await ada.client.members.remove({ params: { companyId, memberId: user.id } });
    await page.getByRole("heading", { name: "There is no page here" }).waitFor({ timeout: forPeople });
    const joe = await invited(product, ada, { companyId, name: "Joe", role: "operator" });
    await sit(joe, "/ACM/issues");
    const here = (await joe.client.auth.listSessions()).items.find(({ current }) => current);
    await joe.client.auth.revokeSession({ params: { sessionId: here?.id ?? "" } });
    await page.getByRole("heading", { name: "Sign in to Roster" }).waitFor({ timeout: forPeople });
  });

  test("a viewer sees every screen, and nothing on it can be pressed that changes something", {
    timeout: 5 * forPeople,
  }, async () => {
    const { page, errors } = visit;
    const paths = await everyScreen();
    const sent: string[] = [];
    page.on("request", (request) => {
      if (request.method() !== "GET") sent.push(`${request.method()} ${request.url()}`);
    });
    page.on("response", (response) => {
      if (response.status() === 403) sent.push(`403 for ${response.url()}`);
    });
    const vera = await invited(product, ada, { companyId, name: "Vera", role: "viewer" });
    await vera.sitDown(page.context());
    for (const path of paths) {
      await go(path);
      await page.getByRole("button", { name: "Vera" }).waitFor();
      expect(await page.getByRole("main").getByRole("alert").count(), path).toBe(0);
      expect.soft(await page.getByRole("main").locator("textarea").count(), path).toBe(0);
      await pressEverything(page, path, () => go(path));
      expect.soft(sent.splice(0), path).toEqual([]);
    }
    expect(errors).toEqual([]);
  });

  test("an operator runs agents and decides; the company and its secrets are for admins, runners for the deployment's", {
    timeout: forPeople,
  }, async () => {
    const { page } = visit;
    const params = { companyId };
    const payload = { title: "A question for operators", body: "May I?" };
    const asked = await ada.client.approvals.request({ params, body: { type: "board_request", payload } });
    const offered = async (path: string, name: string): Promise<boolean> => {
      await go(`/ACM${path}`);
      return (await page.getByRole("main").getByRole("button", { name, exact: true }).count()) > 0;
    };
    const runners = page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name: "Runners" });
    const tried = async () => ({
      decide: await offered(`/approvals/${asked.id}`, "Approve"),
      import: await offered("/settings/skills", "Import skills"),
      store: await offered("/settings/secrets", "New secret"),
      change: await offered("/settings/company", "Save"),
      invite: await offered("/settings/members", "Invite"),
      runners: (await runners.count()) > 0,
    });
    const everything = { decide: true, import: true, store: true, change: true, invite: true, runners: true };
    const gus = await invited(product, ada, { companyId, name: "Gus", role: "operator" });
    await sit(gus, "/ACM");
    await page.getByRole("button", { name: "Gus" }).waitFor();
    const [store, change, invite] = [false, false, false];
    expect(await tried()).toEqual({ ...everything, store, change, invite, runners: false });
    const hal = await invited(product, ada, { companyId, name: "Hal", role: "admin" });
    await sit(hal, "/ACM");
    expect(await tried()).toEqual({ ...everything, runners: false });
    await sit(ada, "/ACM");
    expect(await tried()).toEqual(everything);
  });

  /** A company in which there is something on every screen; where they are. */
  async function everyScreen(): Promise<readonly string[]> {
    const { client } = ada;
    const params = { companyId };
    await client.companies.change({ params, body: { requireBoardApprovalForNewAgents: true } });
    const proposal = { role: "engineer", adapterType: "process", adapterConfig: worker };
    const { agent, approval } = await client.hires.request({ params, body: { name: "Nova", ...proposal } });
    const approvalId = approval?.id ?? "";
    await client.approvals.approve({ params: { approvalId }, body: { payloadDigest: approval?.payloadDigest ?? "" } });
    const open = await client.hires.request({ params, body: { name: "Nick", ...proposal } });
    const payload = { title: "A bigger machine", body: "The small one is full." };
    const asked = await client.approvals.request({ params, body: { type: "board_request", payload } });
    const files = { "SKILL.md": "---\nname: review\ndescription: Reads twice.\n---\nRead it twice.\n" };
    await client.skills.import({ params, body: { files } });
    await client.secrets.create({ params, body: { name: "deploy/key", value: "open sesame, please" } });
    const body = { title: "Something to do", assigneeAgentId: agent.id };
    const issue = await client.issues.create({ params, body });
    const listed = async () => (await client.runs.list({ params, query: { status: "succeeded" } })).items;
    await expect.poll(async () => (await listed()).length, { timeout: forPeople }).toBeGreaterThan(0);
    const [run] = await listed();
    const settings = ["company", "members", "secrets", "skills", "runners", "mode"].map((part) => `/settings/${part}`);
    return [
      "",
      "/issues",
      `/issues/${issue.identifier}`,
      "/agents",
      "/agents?view=chart",
      "/agents/nova",
      "/agents/nova?tab=runs",
      "/agents/nova?tab=configuration",
      "/agents/nova?tab=revisions",
      "/hire",
      "/approvals",
      `/approvals/${open.approval?.id}`,
      `/approvals/${asked.id}`,
      `/runs/${run?.id}`,
      `/runs/${run?.id}?tab=log`,
      `/runs/${run?.id}?tab=cause`,
      "/costs",
      "/activity",
      ...settings,
    ].map((path) => `/ACM${path}`);
  }
});

/** Presses every button of a page and of what it opens, each on a fresh page, and chooses whatever can be chosen. */
async function pressEverything(page: Page, path: string, fresh: () => Promise<void>): Promise<void> {
  const buttons = page.getByRole("main").locator("button:enabled:visible:not([role=tab])");
  const choices = page.getByRole("main").locator("select:enabled:visible");
  for (const choice of await choices.all()) await choice.selectOption({ index: 0 });
  for (const choice of await choices.all()) {
    await choice.selectOption({ index: (await choice.locator("option").count()) - 1 });
  }
  await fresh();
  const names = await Promise.all((await buttons.all()).map((button) => button.innerText()));
  for (const [index, name] of names.entries()) {
    if (index > 0) await fresh();
    await buttons.nth(index).click();
    const inner = page.getByRole("dialog").locator("button:enabled:visible");
    for (let at = (await inner.count()) - 1; at >= 0; at -= 1) {
      if ((await inner.count()) > at) await inner.nth(at).click();
    }
    expect(await page.getByText("forbidden").count(), `${path}: ${name}`).toBe(0);
  }
}
