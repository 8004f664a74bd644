import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import type { TestApi } from '../../harness';

const PROGRAM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
const FLAGS = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
  '--use-fake-device-for-media-stream',
];

/** Describes tests in a real browser; without one, Jest reports them as skipped. */
export function describeInBrowser(name: string, tests: () => void): void {
  if (PROGRAM) describe(name, tests);
  else describe.skip(`${name} (there is no chromium: apt-get install chromium)`, tests);
}

export const startBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: PROGRAM, args: FLAGS, timeout: 120_000 });

/** The narrowest and the widest that the console is made for, and what most people have. */
export const SIZES = {
  desktop: { width: 1440, height: 900 },
  phone: { width: 360, height: 800 },
  wide: { width: 3840, height: 2160 },
};

/** Not committed; for manual inspection. Only with PICTURES=1, because pictures take much of the time of these tests. */
const FOLDER = process.env.PICTURES ? join(__dirname, '../../../test-results/console') : undefined;

export async function picture(page: Page, name: string): Promise<void> {
  if (FOLDER) await page.screenshot({ path: join(FOLDER, `${name}.png`), fullPage: true });
}

export async function printed(page: Page, name: string): Promise<void> {
  if (FOLDER) await page.pdf({ path: join(FOLDER, `${name}.pdf`), format: 'A4' });
}

/** Takes pictures of a page in all sizes. */
export async function look(page: Page, name: string): Promise<void> {
  if (!FOLDER) return;
  for (const [size, viewport] of Object.entries(SIZES)) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await picture(page, `${name}-${colorScheme}-${size}`);
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(SIZES.desktop);
}

export interface Tab {
  page: Page;
  context: BrowserContext;
  /** Errors in the browser: exceptions, and violations of the content security policy. */
  complaints: string[];
}

/** A separate browser context with its own cookies. Long timeouts, for busy machines. */
export async function openTab(
  browser: Browser,
  options: { size?: keyof typeof SIZES; theme?: 'light' | 'dark' } = {},
): Promise<Tab> {
  const context = await browser.newContext({
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    colorScheme: options.theme ?? 'light',
    viewport: SIZES[options.size ?? 'desktop'],
  });
  context.setDefaultTimeout(50_000);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text()))
      complaints.push(message.text());
  });
  return { page, context, complaints };
}

/** Follows a one-time link until the member is signed in. */
export async function signInByLink(page: Page, api: TestApi, link: string): Promise<void> {
  await page.goto(api.url + link);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.waitForURL(/\/console\/o\//);
}

/** Counts what a person presses from now on. */
export async function clicksOn(page: Page): Promise<() => Promise<number>> {
  const count = () => {
    const { addEventListener, sessionStorage } = globalThis as any;
    addEventListener(
      'pointerdown',
      () => sessionStorage.setItem('clicks', String(Number(sessionStorage.getItem('clicks')) + 1)),
      true,
    );
  };
  await page.addInitScript(count);
  await page.evaluate(count);
  return () => page.evaluate(() => Number((globalThis as any).sessionStorage.getItem('clicks')));
}

/** A script for `addInitScript`, which `violationsOf` needs. */
export const AXE = require.resolve('axe-core/axe.min.js');

/** The violations of the accessibility rules on a page. */
export async function violationsOf(page: Page): Promise<string[]> {
  return page.evaluate(
    async (runOnly) => {
      const { violations } = await (globalThis as any).axe.run({ runOnly, resultTypes: ['violations'] });
      return violations.flatMap(({ id, nodes }: any) =>
        nodes.map(({ html, any: [reason] }: any) => `${id}: ${html.slice(0, 160)} ${reason?.message ?? ''}`),
      );
    },
    ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
  );
}
