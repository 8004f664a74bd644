import type { Locator, Page } from 'playwright-core';
import { key } from '#libs/testing';
import { de } from '../../../apps/console/src/texts/de';
import { en } from '../../../apps/console/src/texts/en';
import { eventually } from '../../harness';
import { AXE, describeInBrowser, picture, SIZES, type Tab, violationsOf } from './chromium';
import { type BrowserDemo, startEmptyInBrowser } from './demo';
import { add, fill, list } from './event-form';
import { CODES, FIELDS, FORM, GROUPS, OCCURRENCE, QUESTIONS, RACES, RECORDS, TYPED_CODES } from './new-event';

describeInBrowser('a new event, without a terminal', () => {
  let demo: BrowserDemo;
  let tab: Tab;
  let page: Page;
  let main: Locator;
  let id: string;
  let next: string;
  beforeAll(async () => {
    demo = await startEmptyInBrowser();
    tab = await demo.signedIn('OWNER');
    ({ page } = tab);
    await tab.context.addInitScript({ path: AXE });
    main = page.getByRole('main');
  });
  afterAll(() => demo?.close());

  const part = (name: string) =>
    page.getByRole('navigation', { name: 'Parts of the event' }).getByRole('button', { name }).click();
  const storedOf = (occurrence: string): Promise<Record<string, any>[]> =>
    page.evaluate(
      async ([organizationId, of]) => {
        const headers = { 'x-startline-organization': organizationId as string };
        const answer = await fetch(`/console/v1/catalogue/event-occurrences/${of}`, { headers });
        return ((await answer.json()) as any).records.map(({ record }: { record: unknown }) => record);
      },
      [demo.organizationId, occurrence],
    );
  const occurrenceOf = async (of: string) =>
    (await storedOf(of)).find(({ record }) => record === 'occurrence') ?? {};
  const save = async (of: Page) => {
    await of.getByRole('button', { name: 'Save', exact: true }).click();
    await of.getByText('Saved.').waitFor();
  };
  const card = (name: string) =>
    main.locator('section', { has: page.getByRole('heading', { name, exact: true }) });

  const step = (name: string) => main.getByRole('link', { name });

  it('is the first of three steps that a new organization sees', async () => {
    await page.goto(demo.home);
    // It has a key already.
    await main.getByRole('heading', { name: 'First steps: 1 of 3 done' }).waitFor();
    await step('Import people').waitFor();
    await step('Create a key').getByText('Done').waitFor();
    await step('Create an event').click();
    await main.getByRole('heading', { name: 'New event' }).waitFor();
  });

  it('is typed in the browser and created as a draft', async () => {
    await page.goto(`${demo.home}/partners`);
    await page.getByRole('button', { name: 'Create a partner' }).first().click();
    await fill(page.getByRole('dialog'), {
      Name: 'Lifeboat Appeal',
      'First name': 'Ada',
      'Last name': 'Wells',
      Email: 'ada@lifeboat.example',
    });
    await page.getByRole('dialog').getByRole('button', { name: 'Create a partner' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    await page.goto(`${demo.home}/events`);
    await main.getByRole('link', { name: 'New event' }).first().click();
    await fill(main, {
      Title: 'Harbour Run 2031',
      Date: '2031-05-04',
      'Time zone': 'Europe/London',
    });
    await main.getByRole('button', { name: 'Begin' }).click();

    await fill(card('This edition'), { 'Add a language': 'German (Germany)', Tags: ['road', 'flat'] });
    await fill(card('This edition'), { 'Title in German (Germany)': 'Hafenlauf 2031' });
    await part('Forms');
    const questions = list(main, 'Questions');
    for (const { values, options = [] } of QUESTIONS) {
      const row = await add(questions, 'Add question', values);
      for (const option of options) await add(list(row, 'Options'), 'Add option', option);
    }
    await add(list(main, 'Forms'), 'Add form', FORM);

    await part('Races and tickets');
    for (const { values, waves, tickets } of RACES) {
      const row = await add(list(main, 'Races'), 'Add race', values);
      for (const wave of waves) await add(list(row, 'Waves'), 'Add wave', wave);
      for (const ticket of tickets) await add(list(row, 'Tickets'), 'Add ticket', ticket);
    }

    await part('Add-ons and referrals');
    const [ofEdition, ofSeries] = ['Add-ons of this edition', 'Add-ons of every edition'].map((name) =>
      list(card(name), 'Add-ons'),
    ) as [Locator, Locator];
    const shirt = await add(ofEdition, 'Add add-on', { Title: 'Finisher shirt', Price: '18.50' });
    for (const Title of ['Small', 'Large']) await add(list(shirt, 'Variants'), 'Add variant', { Title });
    await add(ofEdition, 'Add add-on', { Title: 'Training plan', 'Currency of Price': 'Free' });
    await add(ofSeries, 'Add add-on', { Title: 'Parking', Price: '7' });
    await add(list(main, 'Referral programs'), 'Add referral program', { Title: 'Bring a friend' });

    await part('Reserved groups');
    for (const { values, tickets } of GROUPS) {
      const row = await add(list(main, 'Reserved groups'), 'Add group', values);
      for (const ticket of tickets) await add(list(row, 'Tickets of the group'), 'Add ticket', ticket);
    }

    await part('Place and images');
    await fill(main, {
      Street: '1 Quay Street',
      'Second line': 'Pier 4',
      Postcode: 'BS1 4QA',
      City: 'Bristol',
      'County or state': 'Avon',
      Country: 'United Kingdom',
      'Whole address': '1 Quay Street, Bristol BS1 4QA',
      Latitude: '51.4492',
      Longitude: '-2.5979',
      'Main image': 'https://images.example/harbour.jpg',
      Logo: 'https://images.example/logo.png',
      'More images': 'https://images.example/a.jpg\nhttps://images.example/b.jpg',
    });
    await part('Texts');
    await fill(main, {
      'Short description': '<p>Along the <em>harbour</em>.</p>',
      Course: '<ul><li>Flat</li></ul>',
      'Race day': '<p>Bag drop from 7:00.</p>',
      Travel: '<p>By train.</p><script>alert(1)</script>',
      Spectators: '<p>At the bridge.</p>',
    });
    // What cannot be read is refused at its field.
    await main.getByRole('button', { name: 'Create as draft' }).click();
    await main.getByText('Enter an amount, such as 45.00, and a currency.').waitFor();
    const family = main.getByRole('listitem').filter({ hasText: /^Family/ });
    await fill(family, { Price: '1234.5' });
    await main.getByRole('button', { name: 'Create as draft' }).click();
    await page.waitForURL(/\/events\/[0-9a-f-]{36}$/);
    id = page.url().slice(-36);
    expect(tab.complaints).toEqual([]);
  });

  it('gets discount codes, one at a time', async () => {
    const dialog = page.getByRole('dialog');
    for (const code of TYPED_CODES) {
      await main.getByRole('button', { name: 'Create a code' }).click();
      await fill(dialog, code);
      await dialog.getByRole('button', { name: 'Create a code' }).click();
      await dialog.waitFor({ state: 'detached' });
    }
    await main.getByRole('button', { name: 'Create a code' }).click();
    await fill(dialog, { Code: 'early10', Percent: '5' });
    await dialog.getByRole('button', { name: 'Create a code' }).click();
    await dialog.getByText('There is a code like this already.').waitFor();
    await fill(dialog, { Code: 'EARLY11', Percent: '101' });
    await dialog.getByRole('button', { name: 'Create a code' }).click();
    await dialog.getByText('This value is out of range.').waitFor();
    // An import that ends as a whole has no failed rows.
    const imports = [/\/v0\/discount-codes\/import/, /\/console\/v1\/import-jobs\//];
    const stopped = { jobId: id, status: 'FAILED', failure: 'Was cancelled.', succeededRows: 0 };
    for (const url of imports)
      await page.route(url, (route) => route.fulfill({ json: { ...stopped, data: [], page: { next: '' } } }));
    await fill(dialog, { Percent: '10' });
    await dialog.getByRole('button', { name: 'Create a code' }).click();
    await dialog.getByText('Was cancelled.').waitFor();
    for (const url of imports) await page.unroute(url);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  });

  it('is published', async () => {
    await page.getByRole('button', { name: 'Change status' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Nobody has registered yet.').waitFor();
    await dialog.getByRole('radio', { name: /^Published The/ }).check();
    await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await main.getByText('Published').first().waitFor();
    expect(tab.complaints).toEqual([]);
  });

  it('is what was typed, field by field, as a catalogue file and in the public API', async () => {
    const { api } = demo;
    expect((await storedOf(id)).map(withoutIds)).toEqual(RECORDS);

    const { body: event } = await api.get(`/v0/event-occurrences/${id}`);
    const {
      record: _,
      event: __,
      slug,
      addOns,
      reservedEntryGroups,
      referralPrograms,
      races,
      ...own
    } = OCCURRENCE;
    const titleByLocale = { ...own.titleByLocale, 'en-GB': own.title };
    expect(event).toMatchObject({ ...own, titleByLocale, status: 'PUBLISHED' });
    expect(event.races.map(({ title }) => title)).toEqual(races.map(({ title }) => title));

    const listed = async (path: string) =>
      (await api.get(`/v0/event-occurrences/${id}/${path}` as '/v0/event-occurrences/{id}/tickets')).body
        .data;
    const found = await Promise.all(event.races.map(({ id: race }) => api.get(`/v0/races/${race}`)));
    expect(toTheSecond(found.map(({ body }) => body))).toMatchObject(
      races.map(({ tickets: _, ...race }) => ({ course: null, waves: [], maxCapacity: null, ...race })),
    );
    const tickets = await listed('tickets');
    const read = await Promise.all(tickets.map(({ id: ticket }) => api.get(`/v0/tickets/${ticket}`)));
    const absent = { saleStart: null, saleEnd: null, maxCapacity: null, description: '' };
    expect(toTheSecond(read.map(({ body }) => body))).toMatchObject(
      races.flatMap(({ title: raceTitle, tickets: own }) =>
        own.map((ticket) => {
          const {
            bookingForms: _,
            asksDonation: __,
            competitorSize: ___,
            ...shown
          } = ticket as typeof ticket & SoldOnly;
          return { ...absent, approval: 'INSTANT', isDeleted: false, usedCapacity: 0, raceTitle, ...shown };
        }),
      ),
    );
    const [early] = tickets;
    const { body: forms } = await api.get(`/v0/tickets/${early?.id}/booking-forms`);
    expect(forms.data.map(({ title }) => title)).toEqual(['Runner']);
    const { body: fields } = await api.get(`/v0/booking-forms/${forms.data[0]?.id}/fields`);
    const asked = RECORDS.find(({ record }) => record === 'bookingForm') as { fields: string[] };
    expect(fields.data).toMatchObject(
      asked.fields.map((key) => {
        const { record: _, ...field } = FIELDS.find((each) => each.key === key) as { record: string };
        return { required: false, helpText: null, ...field };
      }),
    );

    const parking = { title: 'Parking', price: { value: 700, currencyCode: 'GBP' }, variants: [] };
    expect(await listed('add-ons')).toMatchObject([
      parking,
      ...addOns.map((addOn) => ({ variants: [], ...addOn })),
    ]);
    expect(toTheSecond(await listed('reserved-entries'))).toMatchObject(
      reservedEntryGroups.map(({ name, maxCapacity, settings }) => ({
        name,
        maxCapacity,
        settings,
        usedCapacity: 0,
      })),
    );
    const { body: programs } = await api.get('/v0/referral-programs');
    expect(programs.data).toMatchObject(
      referralPrograms.map(({ title }) => ({ title, eventOccurrenceId: id })),
    );

    const [{ ids }] = await api.dataSource.query(
      'SELECT array_agg(id ORDER BY created_at, id) AS ids FROM discount_codes WHERE organization_id = $1',
      [demo.organizationId],
    );
    const codes = await Promise.all(ids.map((each: string) => api.get(`/v0/discount-codes/${each}`)));
    expect(toTheSecond(codes.map(({ body }) => body))).toMatchObject([
      { ...CODES[0], eventOccurrenceIds: [id], ticketIds: [early?.id] },
      { ...CODES[1], eventOccurrenceIds: [id], ticketIds: null },
    ]);

    const { token } = await key(api.home, { organizationId: demo.organizationId, kind: 'MARKETPLACE' });
    const { body: market } = await api.get('/marketplace/v1/events/', token);
    const { timeZone: ___, ...shown } = own;
    expect(market.events.filter((each) => each.id === id)).toMatchObject([{ ...shown, titleByLocale }]);
  });

  it('is the earlier edition of the next one, with its dates moved and the chosen codes', async () => {
    await page.goto(`${demo.home}/events/new`);
    await fill(main, {
      Edition: 'Harbour Run 2031, 2031-05-04',
      'Date of the new edition': '2032-05-02',
    });
    await fill(main, { 'Copy 2 discount codes': true, crew5: false });
    await main.getByRole('button', { name: 'Continue' }).click();
    await main.getByRole('button', { name: 'Create as draft' }).click();
    await page.waitForURL((url) => /\/events\/[0-9a-f-]{36}$/.test(url.pathname) && !url.href.endsWith(id));
    next = page.url().slice(-36);
    const copy = await occurrenceOf(next);
    expect(withoutIds(copy)).toEqual({ ...yearLater(OCCURRENCE), published: false });
    const [{ ids }] = await demo.api.dataSource.query(
      'SELECT array_agg(id) AS ids FROM discount_codes WHERE organization_id = $1 AND event_occurrence_ids = ARRAY[$2::uuid]',
      [demo.organizationId, next],
    );
    expect(ids).toHaveLength(1);
    const { body } = await demo.api.get(`/v0/discount-codes/${ids[0]}`);
    expect(toTheSecond(body)).toMatchObject({
      ...CODES[0],
      code: 'EARLY10-32',
      ticketIds: [copy.races[0].tickets[0].id],
      startDateTime: '2031-10-31T00:00:00Z',
      endDateTime: '2032-04-28T22:59:00Z',
    });
  });

  it('says which codes of the earlier edition the next one can not have', async () => {
    await page.goto(`${demo.home}/events/new`);
    await fill(main, {
      Edition: 'Harbour Run 2031, 2031-05-04',
      'Date of the new edition': '2033-05-01',
      'Take reserved groups along': false,
      'Copy 2 discount codes': true,
    });
    await main.getByRole('button', { name: 'Continue' }).click();
    await part('Races');
    await main.getByRole('button', { name: /^Marathon/ }).click();
    await main.getByRole('button', { name: 'Remove Early bird' }).click();
    await main.getByRole('button', { name: 'Create as draft' }).click();
    await main
      .getByText('Not copied, because their tickets are not part of the new edition: EARLY10')
      .waitFor();
    await looks('codes-left');
    await main.getByRole('link', { name: 'Show the event' }).click();
    await main.getByText('crew5-33').waitFor();
  });

  it('shows the second of two people what the first changed, and loses nothing typed', async () => {
    const other = await demo.signedIn('MANAGER');
    for (const each of [page, other.page]) {
      await each.goto(`${demo.home}/events/${next}/edit?part=races`);
      await each.getByRole('button', { name: /^Marathon/ }).click();
    }
    const marathon = (of: Page) => of.getByRole('listitem').filter({ hasText: /^Marathon/ });
    const fields = (of: Page) => marathon(of).locator('> .row-body > .tiles');
    await fill(fields(page), { Places: '4800', 'Course name': 'Long loop' });
    await fill(fields(other.page), { Places: '5200', 'Start time': '09:15' });
    await save(other.page);
    await main.getByRole('button', { name: 'Save', exact: true }).click();
    const panel = main.getByRole('alert');
    await panel.getByText('Someone else changed this event while you typed').waitFor();
    await panel.getByText('Marathon › Places').waitFor();
    await panel.getByText('Marathon › Start time').waitFor();
    await panel.getByRole('checkbox', { name: /Take this value instead of yours/ }).waitFor();
    expect(await fields(page).getByRole('textbox', { name: 'Course name' }).inputValue()).toBe('Long loop');
    await looks('meanwhile');
    await panel.getByRole('button', { name: 'Continue with both' }).click();
    await save(page);
    expect((await occurrenceOf(next)).races[0]).toMatchObject({
      startTime: '09:15:00',
      maxCapacity: 4_800,
      course: { title: 'Long loop' },
    });
    await other.context.close();
  });

  it('asks whether other dates move with the event, and says which they would be', async () => {
    const before = await occurrenceOf(next);
    const after = (days: number) =>
      new Date(Date.parse(before.startDate) + days * 86_400_000).toISOString().slice(0, 10);
    await page.goto(`${demo.home}/events/${next}/edit`);
    await fill(main, { Date: after(7) });
    const question = main.getByRole('status').filter({ hasText: 'The event moved by 7 days.' });
    await question.getByText(/^Marathon › A › Start: .* → /).waitFor();
    await looks('moved-dates');
    await question.getByRole('button', { name: 'Keep them' }).click();
    await question.waitFor({ state: 'detached' });
    await save(page);
    expect(await occurrenceOf(next)).toEqual({ ...before, startDate: after(7) });
    await fill(main, { Date: after(0) });
    await question.getByRole('button', { name: 'Move them too' }).click();
    await save(page);
    const [marathon] = (await occurrenceOf(next)).races;
    expect(marathon.startDate).toBe(after(-7));
    expect(marathon.waves[0].startDateTime.slice(0, 10)).toBe(after(-7));
    await fill(main, { Date: after(7) });
    await question.waitFor();
    await fill(main, { Date: after(0) });
    await question.waitFor({ state: 'detached' });
  });

  it('keeps what was typed while the session or the connection is lost', async () => {
    await page.goto(`${demo.home}/events/${next}/edit?part=place`);
    await fill(main, { City: 'Clifton' });
    const cookies = await tab.context.cookies();
    await tab.context.clearCookies();
    await main.getByRole('button', { name: 'Save', exact: true }).click();
    await page.waitForURL(/sign-in/);
    await tab.context.addCookies(cookies);
    await page.goto(`${demo.home}/events/${next}/edit?part=place`);
    await main.getByText('These are your unsaved changes of').waitFor();
    expect(await main.getByRole('textbox', { name: 'City' }).inputValue()).toBe('Clifton');
    await tab.context.setOffline(true);
    await main.getByRole('button', { name: 'Save', exact: true }).click();
    await main.getByText('What you typed is kept in this browser.').waitFor();
    await tab.context.setOffline(false);
    await save(page);
    expect((await occurrenceOf(next)).location.address.city).toBe('Clifton');
    await fill(main, { City: 'Redland' });
    await main.getByText('This browser keeps them.').waitFor();
    await page.evaluate(() => {
      (globalThis as any).Storage.prototype.setItem = () => {
        throw new Error('There is no room');
      };
    });
    await fill(main, { City: 'Southville' });
    await main.getByText('This browser has no room to keep them').waitFor();
    await page.getByRole('link', { name: 'Partners' }).click();
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
    await dialog.getByText('they will be lost').waitFor();
    await dialog.getByRole('button', { name: 'Stay' }).click();
    await main.getByRole('button', { name: 'Discard changes' }).click();
  });

  it('gets a form with a new question for tickets in one place', async () => {
    await page.goto(`${demo.home}/events/${next}/edit?part=forms`);
    const forms = list(main, 'Forms');
    const row = await add(forms, 'Add form', {});
    const tickets = row.getByRole('combobox', { name: 'Asked with these tickets' });
    expect(await tickets.isDisabled()).toBe(true);
    await fill(row.locator('> .row-body > .tiles'), { Title: 'Club' });
    await row.getByRole('button', { name: 'Add a question to this form' }).click();
    await page.keyboard.type('Name of the club');
    await fill(row, { 'Asked with these tickets': 'Marathon · Early bird' });
    await looks('form-in-one-place');
    await save(page);
    const records = await storedOf(next);
    const question = records.find(({ label }) => label === 'Name of the club');
    expect(question).toMatchObject({ key: 'nameOfTheClub', type: 'TEXT' });
    expect(records.find(({ title }) => title === 'Club')).toMatchObject({ fields: ['nameOfTheClub'] });
    const [marathon] = (await occurrenceOf(next)).races;
    expect(marathon.tickets[0].bookingForms).toEqual(['Runner', 'Club']);
  });

  it('asks before unsaved changes are left, also by the button of the browser', async () => {
    await page.goto(`${demo.home}/events`);
    await main.getByRole('link', { name: 'Harbour Run 2032' }).click();
    await main.getByRole('link', { name: 'Edit', exact: true }).click();
    await fill(card('This edition'), { Title: 'Harbour Run, twice' });
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
    await page.getByRole('link', { name: 'Partners' }).click();
    await dialog.getByRole('button', { name: 'Stay' }).click();
    await page.goBack();
    await dialog.getByRole('button', { name: 'Stay' }).click();
    expect(page.url()).toMatch(/\/edit$/);
    expect(await card('This edition').getByRole('textbox', { name: 'Title', exact: true }).inputValue()).toBe(
      'Harbour Run, twice',
    );
    await page.goBack();
    await dialog.getByRole('button', { name: 'Leave' }).click();
    await page.waitForURL(new RegExp(`/events/${next}$`));
    await page.goto(`${demo.home}/events/${next}/edit`);
    await main.getByRole('button', { name: 'Discard changes' }).click();
    await main.getByText('Nothing to save.').waitFor();
  });

  const upload = async (name: string, text: string) => {
    await page.goto(`${demo.home}/events/upload`);
    const chooser = page.waitForEvent('filechooser');
    await main.getByRole('button', { name: 'Choose a file' }).click();
    await (await chooser).setFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
  };

  it('can come from a calendar, whose preview says what is created, changed and left', async () => {
    const calendar = (date: string, more: string[] = []) =>
      ['Event;Race;Date;Country;Ticket;Price', `Dune Run;10K;${date};Germany;Adult;25,00 €`, ...more].join(
        '\n',
      );
    await upload('calendar.csv', calendar('2031-06-01'));
    await main.getByText('2 new, 0 changed, 0 unchanged.').waitFor();
    await main.getByRole('row', { name: 'dune-run-2031 Published – no' }).waitFor();
    await main.getByRole('row', { name: 'dune-run-2031 10K › Adult › Price – 25.00' }).waitFor();
    await main.getByRole('button', { name: 'Load', exact: true }).click();
    await main.getByRole('button', { name: 'Publish 1 event' }).click();
    await main.getByText('1 event is published.').waitFor();
    const more = ['Moor Run;5K;03/04/2031;Germany;Adult;10,00 €', 'Moor Run;1K;soon;Germany;Adult;1,00 €'];
    await upload('calendar.csv', calendar('2031-06-08', more));
    await main.getByRole('combobox', { name: 'Date: In which order are day and month?' }).click();
    await page.getByRole('option', { name: /^Day first/ }).click();
    await main.getByRole('combobox', { name: 'What Dune Run, 2031-06-08 means' }).click();
    await page.getByRole('option', { name: 'The one of 1 Jun 2031, which moved' }).click();
    await main.getByRole('gridcell', { name: /^soon/ }).dblclick();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('04/04/2031');
    await page.keyboard.press('Enter');
    await main.getByText('2 new, 1 changed, 1 unchanged.').waitFor();
    // The grid stays while the file is read with what was typed.
    expect(await main.getByRole('grid').evaluate((grid) => grid.matches(':focus'))).toBe(true);
    await main.getByRole('row', { name: /10K › .*1 Jun 2031 8 Jun 2031/ }).waitFor();
    await looks('upload-events');
    await main.getByRole('button', { name: 'Load', exact: true }).click();
    await main.getByRole('button', { name: 'Show events' }).click();
    const row = main.getByRole('row').filter({ has: page.getByRole('link', { name: 'Moor Run' }) });
    await row.getByText('Draft').waitFor();
  });

  it('can come from a file of many parts, which goes on where a part failed', async () => {
    const many = Array.from({ length: 130 }, (_, at) => [
      { record: 'event', slug: `lap-${at}`, title: `Lap ${at}` },
      {
        record: 'occurrence',
        event: `lap-${at}`,
        slug: `lap-${at}-2033`,
        title: `Lap ${at}`,
        timeZone: 'UTC',
      },
    ]);
    const file = JSON.stringify([
      ...many.map(([event]) => event),
      ...many.map(([, occurrence]) => occurrence),
    ]);
    await upload('laps.json', file);
    await main.getByText('260 new, 0 changed, 0 unchanged.').waitFor();
    let writes = 0;
    await page.route('**/console/v1/catalogue', (route) =>
      ++writes === 2 ? route.abort() : route.fallback(),
    );
    await main.getByRole('button', { name: 'Load', exact: true }).click();
    await main
      .getByText(/^\d+ of 260 records are loaded, as listed under “Loaded”\. The others are not\.$/)
      .waitFor();
    await looks('upload-partly');
    await main.getByRole('button', { name: 'Check the rest and go on' }).click();
    await main.getByRole('button', { name: 'Load the rest' }).click();
    await main.getByRole('button', { name: 'Show events' }).click();
    await fill(main, { 'Search events': 'Lap 12' });
    await main.getByRole('link', { name: 'Lap 129' }).waitFor();
    expect(
      await eventually(async () => (await main.getByRole('link', { name: /^Lap / }).count()) === 11),
    ).toBe(true);
    const [{ count }] = await demo.api.dataSource.query(
      "SELECT count(*)::int AS count FROM event_occurrences WHERE organization_id = $1 AND slug LIKE 'lap-%'",
      [demo.organizationId],
    );
    expect(count).toBe(130);
  });

  /** What axe finds on a page, and whether it is wider than the window. Each language takes one theme for each size. */
  const looks = async (name: string, language = 'English') => {
    const found: string[] = [];
    const [wide, narrow] =
      language === 'English' ? (['light', 'dark'] as const) : (['dark', 'light'] as const);
    for (const [width, height, colorScheme] of [
      [1_440, 900, wide],
      [390, 844, narrow],
    ] as const) {
      const view = `${name}-${language}-${colorScheme}-${width}`;
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme });
      // Otherwise the header covers a part of what happens to be below it.
      await page.evaluate('scrollTo(0, 0)');
      await picture(page, view);
      for (const violation of await violationsOf(page)) found.push(`${view}: ${violation}`);
      const overflow = await page.evaluate<number>(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      if (overflow > 0) found.push(`${view}: ${overflow} pixels wider than the window`);
    }
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize(SIZES.desktop);
    expect(found).toEqual([]);
  };

  it.each(['English', 'Deutsch'])('has accessible pages, all of them in %s', async (language) => {
    if (language === 'Deutsch') {
      await page.getByRole('button', { name: /^Account/ }).click();
      await page.getByRole('menuitem', { name: 'Deutsch' }).click();
    }
    const words = language === 'Deutsch' ? de : en;
    await page.goto(`${demo.home}/events/${id}`);
    await main.getByRole('button', { name: words.codeForm.create }).click();
    await page.getByRole('dialog').waitFor();
    await looks('new-code', language);
    const foreign = new Set<string>();
    const read = async () => {
      if (language === 'English') return;
      for (const text of await page.evaluate<string[]>(TEXTS)) if (ENGLISH.has(text)) foreign.add(text);
    };
    await read();
    for (const section of Object.keys(en.eventForm.sections)) {
      await page.goto(`${demo.home}/events/${id}/edit?part=${section}`);
      await page.getByRole('navigation', { name: words.eventForm.parts }).waitFor();
      const closed = main.locator('.row > .row-head > .row-toggle[aria-expanded=false]');
      while ((await closed.count()) > 0) await closed.first().click();
      await looks(`edit-${section}`, language);
      await read();
    }
    for (const path of ['/events', '/events/new', '/events/upload']) {
      await page.goto(demo.home + path);
      await main.getByRole('heading', { level: 1 }).waitFor();
      await looks(path.slice(1).replace('/', '-'), language);
      await read();
    }
    expect([...foreign]).toEqual([]);
  });
});

/** Dates of the earlier edition, and what they are 364 days later: on the same weekday, at the same local time. */
const MOVED: [string, string][] = [
  ['2031-05-04', '2032-05-02'],
  ['2031-05-03', '2032-05-01'],
  ['2030-11-01T10:00:00Z', '2031-10-31T10:00:00Z'],
  ['2031-03-31T22:59:00Z', '2032-03-29T22:59:00Z'],
  ['2031-04-01T11:00:00Z', '2032-03-30T11:00:00Z'],
  ['2031-01-01T00:00:00Z', '2031-12-31T00:00:00Z'],
  ['Harbour Run 2031', 'Harbour Run 2032'],
  ['Hafenlauf 2031', 'Hafenlauf 2032'],
  ['harbour-run-2031', 'harbour-run-2032'],
];
const yearLater = (value: object): object =>
  JSON.parse(MOVED.reduce((text, [from, to]) => text.replaceAll(from, to), JSON.stringify(value)));

/** English texts of these pages that are others in German. */
const textsOf = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(textsOf)
      : [];
const wordsOf = (all: typeof en) =>
  textsOf([all.eventForm, all.newEvent, all.uploadEvents, all.codeForm, all.events]);
const German = new Set(wordsOf(de));
const ENGLISH = new Set(wordsOf(en).filter((text) => text && !German.has(text)));
/** Texts and names of a page. */
const TEXTS = `[...document.querySelectorAll('body *')].flatMap((each) => [
  ...[...each.childNodes].filter((node) => node.nodeType === 3).map((node) => node.textContent.trim()),
  ...['aria-label', 'placeholder', 'title'].map((name) => each.getAttribute(name) ?? ''),
])`;

/** What the public API does not tell of a ticket. */
interface SoldOnly {
  bookingForms?: string[];
  asksDonation?: boolean;
  competitorSize?: number;
}

/** The API writes microseconds, catalogue files those that there are. */
const toTheSecond = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value).replaceAll(/(T\d\d:\d\d:\d\d)\.0+Z/g, '$1Z'));

const withoutIds = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(withoutIds)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .filter(([name]) => name !== 'id')
            .map(([name, inner]) => [name, withoutIds(inner)]),
        )
      : value;
