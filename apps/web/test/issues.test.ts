import { localBoardUserId } from "@roster/contract";
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
import { keyTimes, manyIssues } from "./fixture/many-issues.ts";
import { type Built, buildProduct, type Product } from "./fixture/product.ts";

const forPeople = 60_000;

describe.runIf(hasChromium)("issues in a browser", () => {
  let built: Built;
  let product: Product;
  let browser: TestBrowser;
  let visit: Visit;
  let companyId: string;
  let adaId: string;
  beforeAll(async () => {
    built = await buildProduct();
    product = await built.start();
    const { board } = product;
    companyId = (await board.companies.create({ body: { name: "Acme" } })).id;
    const body = { name: "Ada", adapterType: "process", adapterConfig: { command: "true" } };
    adaId = (await board.agents.create({ params: { companyId }, body })).id;
    browser = await startBrowser();
    visit = await browser.visit(product.url);
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
    await built?.remove();
  });

  const make = (title: string, more: object = {}) =>
    product.board.issues.create({ params: { companyId }, body: { title, ...more } });
  const get = (issueId: string) => product.board.issues.get({ params: { issueId } });
  const go = async (path: string): Promise<Page> => {
    await visit.page.goto(`${product.url}/ACM${path}`);
    await settled(visit.page);
    return visit.page;
  };
  const titles = (page: Page): Promise<string[]> =>
    page.getByRole("list", { name: "Issues" }).getByRole("link").allTextContents();

  test("what is shown, and how, stands in the address: filters, words, order, view", {
    timeout: forPeople,
  }, async () => {
    await make("Plant a tree", { priority: "low", assigneeAgentId: adaId, status: "backlog" });
    await make("Put out the fire", { priority: "critical", status: "blocked" });
    await make("Water the tree", { assigneeUserId: localBoardUserId });
    const page = await go("/issues?sort=priority");
    await expect.poll(() => titles(page)).toEqual(["Put out the fire", "Water the tree", "Plant a tree"]);
    await page.getByLabel("Search").fill("tree");
    await expect.poll(() => titles(page)).toEqual(["Water the tree", "Plant a tree"]);
    await page.getByLabel("Assignee").selectOption({ label: "Ada" });
    await expect.poll(() => titles(page)).toEqual(["Plant a tree"]);
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
      sort: "priority",
      q: "tree",
      assignee: "ada",
    });
    await page.reload();
    await expect.poll(() => titles(page)).toEqual(["Plant a tree"]);
    await page.getByLabel("Assignee").selectOption({ label: "Me" });
    await expect.poll(() => titles(page)).toEqual(["Water the tree"]);
    await page.getByLabel("Search").fill("no such words");
    await page.getByText("No issues here").waitFor();
    await page.getByRole("button", { name: "Show all issues" }).click();
    await expect.poll(() => titles(page)).toHaveLength(3);
    await expect.poll(() => page.getByLabel("Search").inputValue()).toBe("");
    await page.getByLabel("Status").selectOption("open");
    await page.getByLabel("Order").selectOption("status");
    await expect.poll(() => titles(page)).toEqual(["Put out the fire", "Water the tree", "Plant a tree"]);
  });

  test("the keys of lists: through it, select, new, search, and a sheet that says so", {
    timeout: forPeople,
  }, async () => {
    const page = await go("/issues?sort=priority");
    await expect.poll(() => titles(page)).toHaveLength(3);
    const focused = (): Promise<string | null> => page.evaluate(() => document.activeElement?.textContent ?? null);
    for (const key of ["j", "j", "k", "j", "j"]) await page.keyboard.press(key);
    await expect.poll(focused).toBe("Plant a tree");
    await page.keyboard.press("x");
    await page.keyboard.press("K");
    await page.getByRole("region", { name: "Selected issues" }).getByText("2 selected").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("region", { name: "Selected issues" }).waitFor({ state: "detached" });
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).getByText("New issue").waitFor();
    await expectAccessible(page, "the keys");
    await page.keyboard.press("Escape");
    await page.keyboard.press("/");
    await page.keyboard.type("fire?");
    await expect.poll(() => page.getByLabel("Search").inputValue()).toBe("fire?");
    await page.getByLabel("Search").fill("");
    await page.getByRole("link", { name: "Plant a tree" }).focus();
    await page.keyboard.press("c");
    await page.getByRole("dialog").getByLabel("Title").fill("Made with keys");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Made with keys" }).waitFor();
  });

  test("what is selected changes together; what is refused stays selected, in the service's words", {
    timeout: forPeople,
  }, async () => {
    const { id } = await make("Only thought of", { status: "backlog" });
    const { id: other } = await make("Begun", { status: "in_progress" });
    const page = await go("/issues");
    for (const name of ["Only thought of", "Begun"]) {
      await page.getByRole("listitem").filter({ hasText: name }).getByRole("checkbox").check();
    }
    const bar = page.getByRole("region", { name: "Selected issues" });
    await bar.getByLabel("Set priority").selectOption("high");
    await bar.waitFor({ state: "detached" });
    expect([await get(id), await get(other)].map(({ priority }) => priority)).toEqual(["high", "high"]);
    for (const name of ["Only thought of", "Begun"]) {
      await page.getByRole("listitem").filter({ hasText: name }).getByRole("checkbox").check();
    }
    await bar.getByLabel("Set status").selectOption("in_review");
    await bar.getByText("1 selected").waitFor();
    await bar.getByRole("list", { name: "What was refused" }).getByText("Only thought of").waitFor();
    await bar.getByRole("alert").getByText("wrong_state").waitFor();
    await expectAccessible(page, "selected issues");
    await picture(page, "issues-selected-light-desktop");
    expect([await get(id), await get(other)].map(({ status }) => status)).toEqual(["backlog", "in_review"]);
    await bar.getByLabel("Set assignee").selectOption({ label: "Ada" });
    await bar.waitFor({ state: "detached" });
    expect((await get(id)).assigneeAgentId).toBe(adaId);
  });

  test("on the board the keys move a card; what its states forbid is refused in the service's words, and it goes back", {
    timeout: forPeople,
  }, async () => {
    const { id } = await make("Carried around", { status: "backlog", priority: "critical" });
    const page = await go("/issues?view=board&q=carried");
    const column = (name: string) => page.getByRole("list", { name: `${name} issues` });
    await column("Backlog").getByRole("link", { name: "Carried around" }).waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("Shift+ArrowRight");
    await column("Todo").getByText("Carried around").waitFor();
    await expect.poll(async () => (await get(id)).status).toBe("todo");
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Carried around");
    await page.keyboard.press("Shift+ArrowDown");
    await expect.poll(async () => (await get(id)).priority).toBe("high");
    for (const _ of [1, 2, 3, 4]) await page.keyboard.press("Shift+ArrowRight");
    await expect.poll(async () => (await get(id)).status).toBe("done");
    await column("Done").getByText("Carried around").waitFor();
    await page.keyboard.press("Shift+ArrowLeft");
    await page.getByText("stays where it was").waitFor();
    await page.getByRole("alert").getByText("wrong_state").waitFor();
    await column("Done").getByText("Carried around").waitFor();
    await expectAccessible(page, "a refused move");
    expect((await get(id)).status).toBe("done");
  });

  test("on the board a card is dragged to another status", { timeout: forPeople }, async () => {
    const { id } = await make("Dragged around");
    const page = await go("/issues?view=board&q=dragged");
    const card = page.getByRole("listitem").filter({ hasText: "Dragged around" });
    await card.dragTo(page.getByRole("region", { name: "In progress" }));
    await expect.poll(async () => (await get(id)).status).toBe("in_progress");
    await page.getByRole("list", { name: "In progress issues" }).getByText("Dragged around").waitFor();
  });

  test("parts and wholes, approvals, the holder, and the end of an issue", { timeout: forPeople }, async () => {
    const { id, identifier } = await make("Build a house");
    const { board } = product;
    const question = { type: "board_request", payload: { title: "May we dig?", body: "Here." } } as const;
    const asked = await board.approvals.request({ params: { companyId }, body: question });
    const page = await go(`/issues/${identifier}`);
    await page.getByRole("button", { name: "New part" }).click();
    await page.getByRole("dialog").getByLabel("Title").fill("Dig a hole");
    await page.getByRole("button", { name: "Create issue" }).click();
    await page.getByRole("heading", { name: "Dig a hole" }).waitFor();
    await page.getByRole("link", { name: `${identifier} Build a house` }).click();
    await page.getByRole("list", { name: "Parts of this issue" }).getByText("Dig a hole").waitFor();
    await page.getByRole("button", { name: "Set what it is a part of" }).click();
    await page.getByLabel("Find an issue").fill("Dig a hole");
    await page.getByRole("button", { name: /Dig a hole/ }).click();
    await page.getByRole("dialog").getByRole("alert").getByText("parent_cycle").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Link" }).click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /May we dig/ })
      .click();
    const linked = page.getByRole("list", { name: "Linked approvals" });
    await linked.getByRole("link", { name: "May we dig?" }).waitFor();
    expect((await board.approvals.listIssues({ params: { approvalId: asked.id } })).items[0]?.id).toBe(id);
    await page.getByRole("button", { name: "Unlink: May we dig?" }).click();
    await linked.waitFor({ state: "detached" });
    await board.issues.checkout({ params: { issueId: id }, body: { agentId: adaId } });
    const holder = page.getByRole("region", { name: "Checkout" });
    await holder.getByText("Ada").waitFor();
    await expectAccessible(page, "an issue that is checked out");
    await holder.getByRole("button", { name: "Release" }).click();
    await holder.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Close as done" }).click();
    await page.getByRole("button", { name: "Reopen" }).waitFor();
    expect((await get(id)).status).toBe("done");
    await page.getByRole("button", { name: "Reopen" }).click();
    await page.getByRole("button", { name: "Close as done" }).waitFor();
    expect((await get(id)).status).toBe("todo");
  });

  test("of two who edit at once, the second sees what the first wrote and chooses field by field", {
    timeout: forPeople,
  }, async () => {
    const { id, identifier } = await make("First words", { description: "As it was." });
    const params = { issueId: id };
    const page = await go(`/issues/${identifier}`);
    await page.getByRole("button", { name: "Edit" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Title").fill("My words");
    await dialog.getByLabel("Description").fill("My description.");
    await product.board.issues.change({ params, body: { title: "Their words", description: "Their description." } });
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("Somebody changed it meanwhile").waitFor();
    await dialog.getByText("Their description.").waitFor();
    await expectAccessible(page, "a conflict");
    await picture(page, "issue-conflict-light-desktop");
    await page.setViewportSize(sizes.phone);
    await picture(page, "issue-conflict-light-phone");
    await page.setViewportSize(sizes.desktop);
    await dialog.getByRole("group", { name: "Description" }).getByLabel("Take theirs").check();
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(await get(id)).toMatchObject({ title: "My words", description: "Their description." });
  });

  test("what two changed in different fields is put together without a question", {
    timeout: forPeople,
  }, async () => {
    const { id, identifier } = await make("Half", { description: "Half." });
    const page = await go(`/issues/${identifier}`);
    await page.getByRole("button", { name: "Edit" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Description").fill("Whole.");
    await product.board.issues.change({ params: { issueId: id }, body: { title: "Whole", priority: "low" } });
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(await get(id)).toMatchObject({ title: "Whole", description: "Whole.", priority: "low" });
  });

  test("a choice that somebody else made otherwise meanwhile is asked about; one about something else holds", {
    timeout: forPeople,
  }, async () => {
    const { id, identifier } = await make("Chosen by two");
    const page = await go(`/issues/${identifier}`);
    const change = (body: object) => product.board.issues.change({ params: { issueId: id }, body });
    // The page hears nothing of what others do before it sends its own.
    await page.route(`**/api/issues/${identifier}`, (route) =>
      route.request().method() === "GET" ? route.abort() : route.fallback(),
    );
    await change({ priority: "high" });
    const patched = page.waitForResponse((response) => response.status() === 412);
    await page.getByLabel("Status").and(page.locator("select")).selectOption("blocked");
    await patched;
    await change({ status: "in_review" });
    await page.unroute(`**/api/issues/${identifier}`);
    await product.board.issues.addComment({ params: { issueId: id }, body: { body: "Look at it." } });
    await page.getByRole("button", { name: "Keep mine: Blocked" }).click();
    await expect.poll(async () => (await get(id)).status).toBe("blocked");
    expect((await get(id)).priority).toBe("high");
  });

  test("while the service is away or says 503, what was typed stays, over a reload too, and arrives once", {
    timeout: 2 * forPeople,
  }, async () => {
    const { id, identifier } = await make("Written in a storm");
    const page = await go(`/issues/${identifier}`);
    await page.getByRole("button", { name: "Edit" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Description").fill("A long story.");
    const overloaded = { error: "There is too much to do at the moment.", code: "overloaded", details: [] };
    await page.route(`**/api/issues/${id}`, (route) =>
      route.request().method() === "PATCH"
        ? route.fulfill({ status: 503, json: { ...overloaded, requestId: "r-1" }, headers: { "retry-after": "0" } })
        : route.fallback(),
    );
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByRole("alert").getByText("too much to do").waitFor();
    expect(await dialog.getByLabel("Description").inputValue()).toBe("A long story.");
    await page.unroute(`**/api/issues/${id}`);
    await page.reload();
    await page.getByRole("button", { name: "Go on editing" }).click();
    expect(await dialog.getByLabel("Description").inputValue()).toBe("A long story.");
    await product.killServer();
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByRole("alert").getByText("did not answer").waitFor({ timeout: 30_000 });
    expect(await dialog.getByLabel("Description").inputValue()).toBe("A long story.");
    await expectAccessible(page, "an edit that did not arrive");
    await product.startServer();
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    expect((await get(id)).description).toBe("A long story.");
    await page.getByRole("button", { name: "Edit" }).waitFor();
  });

  test("a service that is slow is waited for, and nothing is sent twice", { timeout: forPeople }, async () => {
    const page = await go("/issues?new=true");
    const held: (() => void)[] = [];
    await page.route("**/issues", async (route) => {
      if (route.request().method() !== "POST") return route.fallback();
      await new Promise<void>((release) => held.push(release));
      await route.fallback();
    });
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Title").fill("Made slowly");
    await dialog.getByLabel("Description").fill("In time.");
    await page.keyboard.press("Tab");
    await dialog.getByRole("button", { name: "Create issue" }).click();
    await expect.poll(() => held.length).toBe(1);
    await expect.poll(() => dialog.getByRole("button", { name: "Create issue" }).isDisabled()).toBe(true);
    expect(await dialog.getByLabel("Title").inputValue()).toBe("Made slowly");
    held[0]?.();
    await page.getByRole("heading", { name: "Made slowly" }).waitFor();
    await page.unroute("**/issues");
    const found = await product.board.issues.list({ params: { companyId }, query: { q: "Made slowly" } });
    expect(found.items).toHaveLength(1);
  });

  test("every screen of issues, in both themes and sizes, is accessible", { timeout: 3 * forPeople }, async () => {
    const { identifier } = await make(
      "A title that is so long that it does not fit on any line of any screen of anybody",
      {
        description: "# Heading\n\nSome **words**, `code`, and\n\n- a list\n- of two",
        assigneeAgentId: adaId,
      },
    );
    const paths = { board: "/issues?view=board", list: "/issues", issue: `/issues/${identifier}` };
    for (const [name, path] of Object.entries(paths)) {
      const page = await go(path);
      for (const theme of themes) {
        await page.emulateMedia({ colorScheme: theme });
        for (const [size, viewport] of Object.entries(sizes)) {
          await page.setViewportSize(viewport);
          await settled(page);
          await picture(page, `issues-${name}-${theme}-${size}`);
        }
        await expectAccessible(page, `${name}, ${theme}`);
      }
      await page.setViewportSize(sizes.desktop);
    }
    expect(visit.errors).toEqual([]);
  });

  test("ten thousand issues: every key counts, every one is reached, and few are drawn", {
    timeout: 5 * forPeople,
  }, async () => {
    await manyIssues(product.databaseUrl, companyId, 10_000);
    const page = await go("/issues?q=one%20of%20many");
    const rows = page.getByRole("list", { name: "Issues" }).getByRole("listitem");
    await page.getByRole("link", { name: "One of many 10000", exact: true }).waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    // The second page of 200 comes only after all keys were pressed: those beyond it count too.
    await page.route(/issues\?.*cursor=/, async (route) => {
      await released;
      await route.fallback();
    });
    const times = await keyTimes(page, "j", 300);
    await expect.poll(focused).toBe(`One of many ${10_000 - 200 + 1}`);
    release();
    await expect.poll(focused).toBe(`One of many ${10_000 - 300 + 1}`);
    await page.unroute(/issues\?.*cursor=/);
    expect(await rows.count()).toBeLessThan(80);
    const until = async (title: string, way: number): Promise<void> => {
      await page.mouse.move(640, 500);
      const link = page.getByRole("link", { name: title, exact: true });
      for (let turns = 0; (await link.count()) === 0; turns += 1) {
        expect(turns).toBeLessThan(2000);
        await page.mouse.wheel(0, way);
        await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
      }
    };
    const began = performance.now();
    await until("One of many 1", 3000);
    const scrolledMs = performance.now() - began;
    expect(await rows.count()).toBeLessThan(80);
    await picture(page, "issues-ten-thousand-light-desktop");
    await page.keyboard.press("k");
    await expect.poll(focused).toBe(`One of many ${10_000 - 299 + 1}`);
    const answered = page.waitForResponse((response) => response.url().includes("/issues?"));
    await product.board.issues.create({ params: { companyId }, body: { title: "One of many more" } });
    await answered;
    process.stdout.write(`\n10,000 issues: ${times}; from the first to the last in ${Math.round(scrolledMs)} ms\n`);
  });
});
