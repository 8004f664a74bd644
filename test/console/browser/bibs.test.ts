import { booking, ticket, wave } from '#libs/testing';
import { newId } from '#platform/database';
import { de } from '../../../apps/console/src/texts/de';
import { en } from '../../../apps/console/src/texts/en';
import { eventually } from '../../harness';
import { AXE, describeInBrowser, picture, violationsOf } from './chromium';
import { type BrowserDemo, startBrowserDemo } from './demo';

describeInBrowser('the bibs of a race', () => {
  let demo: BrowserDemo;
  let raceId: string;
  beforeAll(async () => {
    demo = await startBrowserDemo(1_200);
    const { organizationId } = demo;
    const { dataSource } = demo.api;
    const sold = await ticket(dataSource, { organizationId, title: 'Early bird' });
    raceId = sold.raceId;
    const { id: waveId } = await wave(dataSource, { organizationId, raceId, title: 'Wave A' });
    const name = (key: string, value: string) => ({ id: newId(), key, label: key, type: 'TEXT', value });
    const entries = Array.from({ length: 30 }, (_, n) => ({
      ...(n % 2 && { waveId }),
      fields: [name('firstName', 'Ada'), name('lastName', `Runner ${String(30 - n).padStart(2, '0')}`)],
    }));
    await booking(dataSource, { organizationId, ticketId: sold.id, entries });
  });
  afterAll(() => demo?.close());

  const bibs = async () => {
    const rows: { bib: string }[] = await demo.api.dataSource.query(
      `SELECT bib_number AS bib FROM start_list_entries WHERE race_id = $1 AND bib_number IS NOT NULL`,
      [raceId],
    );
    return rows.map(({ bib }) => bib);
  };

  it('are planned, previewed with what conflicts, given and taken back', async () => {
    const { page, context, complaints } = await demo.signedIn('MANAGER');
    await page.addInitScript({ path: AXE });
    const found: string[] = [];
    const look = async (name: string) => {
      for (const [width, height] of [
        [1_440, 900],
        [390, 844],
      ] as const) {
        await page.setViewportSize({ width, height });
        await picture(page, `bibs-${name}-${width}`);
        for (const violation of await violationsOf(page)) found.push(`${name}, ${width}: ${violation}`);
        const overflow = await page.evaluate<number>(
          'document.documentElement.scrollWidth - document.documentElement.clientWidth',
        );
        if (overflow > 0) found.push(`${name}, ${width}: ${overflow} pixels wider than the window`);
      }
      await page.setViewportSize({ width: 1_440, height: 900 });
    };
    await page.goto(`${demo.home}/desk/bibs?race=${raceId}`);
    const form = page.getByRole('main').locator('form');
    const range = (place: number) => form.getByRole('group', { name: en.bibs.range(place) });
    await range(1).getByRole('textbox', { name: en.bibs.to }).fill('10');
    await range(1).getByRole('textbox', { name: en.bibs.reserved }).fill('3, 5-6');
    await range(1).getByLabel(en.bibs.waves, { exact: true }).click();
    await page.getByRole('option', { name: 'Wave A' }).click();
    await page.keyboard.press('Escape');
    await form.getByRole('button', { name: en.bibs.add }).click();
    expect(await range(2).getByRole('textbox', { name: en.bibs.from }).inputValue()).toBe('11');
    await form.getByRole('button', { name: en.eventForm.preview }).click();
    await range(2).getByText(en.bibs.rules.to).waitFor();
    await look('rules');
    await range(2).getByRole('textbox', { name: en.bibs.to }).fill('99');
    await form.getByRole('button', { name: en.eventForm.preview }).click();
    const give = form.getByRole('button', { name: en.bibs.give(22) });
    await give.waitFor();
    await page.getByRole('table', { name: en.bibs.examples }).getByText('Ada Runner 01').waitFor();
    await look('preview');
    await give.click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: en.bibs.give(22) })
      .click();
    await page.getByText(en.participants.several.changed(22)).waitFor();
    expect((await bibs()).length).toBe(22);
    await look('given');
    // Again: only those for whom the first range had too few numbers are left, and they stay without one.
    await form.getByRole('button', { name: en.eventForm.preview }).click();
    await page.getByRole('table', { name: en.eventForm.preview }).waitFor();
    expect(await form.getByRole('button', { name: /^Give/ }).count()).toBe(0);
    await page.getByRole('button', { name: en.participants.several.undo }).click();
    await eventually(async () => (await bibs()).length === 0);
    await page.getByRole('button', { name: /^Account/ }).click();
    await page.getByRole('menuitem', { name: 'Deutsch' }).click();
    await page.getByRole('link', { name: de.bibs.title, exact: true }).waitFor();
    await page.getByRole('button', { name: de.eventForm.preview }).click();
    await page.getByRole('table', { name: de.eventForm.preview }).waitFor();
    await look('de');
    expect(found).toEqual([]);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('are no page of the race-day desk', async () => {
    const { page, context } = await demo.signedIn('RACE_DAY');
    await page.getByRole('searchbox').waitFor();
    expect(await page.getByRole('link', { name: en.bibs.title, exact: true }).count()).toBe(0);
    await context.close();
  });
});
