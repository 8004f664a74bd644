import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { consolePathOf, inviteMember } from '#domain/staff';
import { announce, median } from '../fixtures/compare';
import type { Databases } from '../fixtures/database';
import { spawnApi, withDataSource } from '../fixtures/startline';
import type { Result } from '../report/result';

const PARTICIPANTS = 200_000;
const SLOWER = 4;
const PROGRAMS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run'];
const REPEATS = 5;
const PAGES = 20;
const WHEEL_TURNS = 40;
/** The slowest interactions, which the report names. */
const NAMED = 5;
/** Nobody types into a form, or leaves a page, in the frame in which it shows. */
const LOOKING_MS = 500;
/** Interaction to Next Paint is the longest but one for each so many (web.dev/articles/inp). */
const PER_OUTLIER = 50;
const PARTS = [
  ...[
    'Home',
    'Applications',
    'Partners',
    'Events',
    'Imports',
    'Developers',
    'Staff',
    'Audit log',
    'Race day',
  ],
  'Participants',
];

/** The console in chromium over 200,000 participants: first load, interactions with a slow CPU, lists, and search. */
export async function consolePages(databases: Databases): Promise<Result[]> {
  const executablePath = PROGRAMS.find(existsSync);
  if (!executablePath) throw new Error('There is no chromium: apt-get install chromium');
  const url = await databases.demo(PARTICIPANTS);
  const api = await spawnApi(url);
  const browser = await chromium.launch({ executablePath, args: FLAGS });
  try {
    announce('the console');
    const link = await signInLink(url);
    return await inBrowser(browser, api.url, link, await wordsOf(url));
  } finally {
    await browser.close();
    await api.stop();
  }
}

const signInLink = (url: string): Promise<string> =>
  withDataSource(url, async ({ manager }) => {
    const [{ id: organizationId }] = await manager.query("SELECT id FROM organizations WHERE slug = 'demo'");
    const email = `bench-${crypto.randomUUID()}@demo.example`;
    const member = { organizationId, email, role: 'OWNER' } as const;
    const { token } = await inviteMember(manager, member, { type: 'SYSTEM', id: null, origin: null });
    return consolePathOf('demo', token);
  });

async function inBrowser(browser: Browser, url: string, link: string, searched: Searched): Promise<Result[]> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.goto(url + link);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.waitForURL(/\/console\/o\//);
  const devtools = await context.newCDPSession(page);
  const list = `${url}/console/o/demo/participants`;

  await page.addInitScript(observeRows);
  const loads: Load[] = [];
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    await devtools.send('Network.clearBrowserCache');
    loads.push(await firstLoad(page, list));
  }
  await page.addInitScript(observe);
  await page.goto(list);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  await interact(page);
  const slowest = await page.evaluate<Interaction[]>(
    '[...interactions.values()].toSorted((a, b) => b.ms - a.ms)',
  );
  const interactions = slowest.map(({ ms }) => ms);
  const inp =
    interactions[Math.floor((await page.evaluate<number>('performance.interactionCount')) / PER_OUTLIER)];
  const { frames, pages } = await scroll(page, list);
  const searches = await search(page, url, searched);
  await context.close();

  const loaded = median(loads.map(({ shownMs }) => shownMs));
  const size = loads[0] as Load;
  return [
    {
      path: 'console',
      title: 'First load of the console, nothing cached',
      measurements: [
        { what: 'compressed', value: size.compressedKb, unit: 'KB' },
        { what: 'load event', value: median(loads.map(({ loadMs }) => loadMs)), unit: 'ms' },
        { what: 'list of 50 participants shows', value: loaded, unit: 'ms' },
      ],
      ratios: [
        { what: 'KB compressed', value: size.compressedKb, atMost: 250 },
        { what: 'ms until the list shows', value: loaded, atMost: 1_000 },
      ],
    },
    {
      path: 'console',
      title: `Interactions over ${PARTICIPANTS.toLocaleString('en')} participants, CPU ${SLOWER} times slower`,
      measurements: [
        { what: 'interactions longer than a frame', value: interactions.length, unit: '' },
        { what: 'median of them', value: median(interactions), unit: 'ms' },
        ...slowest.slice(0, NAMED).map(({ ms, what }) => ({ what, value: ms, unit: 'ms' })),
        { what: 'next page of the list shows, median', value: median(pages), unit: 'ms' },
        { what: 'frame while the list scrolls, median', value: median(frames), unit: 'ms' },
      ],
      ratios: [
        { what: 'ms, interaction to next paint', value: inp as number, atMost: 200 },
        { what: 'ms, the longest frame while scrolling', value: Math.max(...frames), atMost: 100 },
      ],
    },
    searches,
  ];
}

interface Load {
  compressedKb: number;
  loadMs: number;
  shownMs: number;
}

async function firstLoad(page: Page, url: string): Promise<Load> {
  await page.goto('about:blank');
  await page.goto(url);
  while (!(await page.evaluate('globalThis.shownMs'))) await page.waitForTimeout(10);
  return page.evaluate<Load>(`(() => {
    const [navigation] = performance.getEntriesByType('navigation');
    const files = performance.getEntriesByType('resource').filter(({ name }) => name.includes('/console/assets/'));
    const bytes = [navigation, ...files].reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
    return { compressedKb: bytes / 1000, loadMs: navigation.loadEventEnd, shownMs };
  })()`);
}

/** Runs in the page: when the frame with the first row is painted. Playwright looks at longer intervals. */
const observeRows = `
  new MutationObserver((_, observer) => {
    if (!document.querySelector('.row-link')) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => (globalThis.shownMs = performance.now())));
  }).observe(document, { childList: true, subtree: true });
`;

interface Interaction {
  ms: number;
  /** The event and the text of its target. */
  what: string;
}

/** Runs in the page: the longest event of each interaction. Those shorter than 16 ms are not reported. */
const observe = `
  globalThis.interactions = new Map();
  new PerformanceObserver((list) => {
    for (const { interactionId, duration: ms, name, target } of list.getEntries()) {
      if (!interactionId || ms <= (interactions.get(interactionId)?.ms ?? 0)) continue;
      const named = target?.closest('a, button, [aria-label]') ?? target;
      const text = named?.ariaLabel ?? named?.textContent ?? '';
      interactions.set(interactionId, { ms, what: (name + ' ' + text).trim().slice(0, 60) });
    }
  }).observe({ type: 'event', durationThreshold: 16, buffered: true });
`;

/** What staff do: type, choose filters, turn pages, open a person, go from part to part. */
async function interact(page: Page): Promise<void> {
  const rows = page.locator('.row-link');
  await rows.first().waitFor();
  await page.getByRole('searchbox').pressSequentially('anna walker', { delay: 60 });
  await page.waitForURL(/q=anna/);
  await page.getByRole('searchbox').fill('');
  await rows.first().waitFor();
  await page.getByRole('combobox', { name: 'Event' }).click();
  await page.getByRole('option', { name: 'Harbour City Marathon' }).first().click();
  await rows.first().waitFor();
  await page.getByRole('combobox', { name: 'State' }).click();
  await page.getByRole('option', { name: 'Registered' }).click();
  for (let turn = 0; turn < 3; turn++) await nextPage(page);
  await page.getByRole('button', { name: 'Registered', exact: true }).click();
  await rows.first().waitFor();
  await page.getByLabel('Select this page').check();
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  await page.keyboard.press('Escape');
  await rows.first().click();
  await page.getByText('Race-day log').waitFor();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.waitForTimeout(LOOKING_MS);
  await page.getByRole('dialog').getByLabel('First name').pressSequentially('Anna', { delay: 60 });
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Account/ }).click();
  await page.keyboard.press('Escape');
  for (const part of [...PARTS, ...PARTS]) await page.getByRole('link', { name: part, exact: true }).click();
  await rows.first().waitFor();
}

/** Runs in the page, which looks for the first row itself: a question from outside would take time from what it measures. */
const turning = `(() => {
  const first = () => document.querySelector('.row-link')?.getAttribute('href');
  const before = first();
  let pressedAt;
  addEventListener('pointerdown', () => { pressedAt = performance.now(); }, { once: true, capture: true });
  globalThis.turned = new Promise((resolve) => {
    new MutationObserver((_, observer) => {
      if (!first() || first() === before) return;
      observer.disconnect();
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - pressedAt)));
    }).observe(document.body, { subtree: true, childList: true, attributeFilter: ['href'] });
  });
})()`;

/** @returns ms until the next page shows */
async function nextPage(page: Page): Promise<number> {
  const next = page.getByRole('button', { name: 'Next page' });
  // Below the list: who presses it has scrolled there before.
  await next.scrollIntoViewIfNeeded();
  await page.waitForTimeout(LOOKING_MS);
  await page.evaluate(turning);
  await next.click();
  return page.evaluate<number>('turned');
}

async function scroll(page: Page, list: string): Promise<{ frames: number[]; pages: number[] }> {
  await page.goto(list);
  await page.locator('.row-link').nth(49).waitFor();
  await page.mouse.move(700, 500);
  await page.evaluate(`(() => {
    globalThis.frames = [];
    let before = performance.now();
    const frame = (now) => { frames.push(now - before); before = now; requestAnimationFrame(frame); };
    requestAnimationFrame(frame);
  })()`);
  for (let turn = 0; turn < WHEEL_TURNS; turn++) await page.mouse.wheel(0, turn % 20 < 10 ? 200 : -200);
  const frames = await page.evaluate<number[]>('frames');
  const pages: number[] = [];
  for (let turn = 0; turn < PAGES; turn++) pages.push(await nextPage(page));
  return { frames, pages };
}

interface Searched {
  organizationId: string;
  words: string[];
}

/** The most frequent beginnings of names, which find thousands, and what finds few. */
const wordsOf = (url: string): Promise<Searched> =>
  withDataSource(url, async (owner) => {
    const [{ id: organizationId }] = await owner.query("SELECT id FROM organizations WHERE slug = 'demo'");
    const frequent = await owner.query(
      `SELECT word FROM (SELECT lower(left(f->>'value', 2)) AS word FROM start_list_entries e, json_array_elements(e.fields) f
         WHERE e.organization_id = $1 AND f->>'key' = 'lastName') names GROUP BY 1 ORDER BY count(*) DESC LIMIT 3`,
      [organizationId],
    );
    const [one] = await owner.query(
      `SELECT email_normalized AS email, bib_number AS bib FROM start_list_entries
       WHERE organization_id = $1 AND bib_number IS NOT NULL ORDER BY id LIMIT 1`,
      [organizationId],
    );
    const words = frequent.map((row: { word: string }) => row.word);
    return { organizationId, words: [...words, 'anna', 'anna wal', one.email, one.bib] };
  });

async function search(page: Page, url: string, { organizationId, words }: Searched): Promise<Result> {
  const measurements = [];
  for (const word of words) {
    const times: number[] = [];
    for (let repeat = 0; repeat <= REPEATS; repeat++) {
      const began = performance.now();
      await page.request.get(`${url}/console/v1/participants?${new URLSearchParams({ search: word })}`, {
        headers: { 'x-startline-organization': organizationId },
      });
      times.push(performance.now() - began);
    }
    measurements.push({ what: `“${word}”`, value: median(times.slice(1)), unit: 'ms' });
  }
  const longest = Math.max(...measurements.map(({ value }) => value));
  return {
    path: 'console',
    title: `Search over ${PARTICIPANTS.toLocaleString('en')} participants`,
    measurements,
    ratios: [{ what: 'ms, the longest median', value: longest, atMost: 100 }],
  };
}
