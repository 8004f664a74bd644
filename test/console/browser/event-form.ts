import type { Locator } from 'playwright-core';

/** What is typed, by the labels of the fields: texts, names of options, or whether a box is ticked. */
export type Typed = Record<string, string | string[] | boolean>;

/** Fills fields of a form as people do. */
export async function fill(scope: Locator, values: Typed): Promise<void> {
  for (const [name, value] of Object.entries(values)) {
    const named = { name, exact: true };
    const field = ['textbox', 'combobox', 'checkbox', 'searchbox'] as const;
    const [first, ...others] = field.map((role) => scope.getByRole(role, named)) as [Locator, ...Locator[]];
    const control = others.reduce((all, each) => all.or(each), first);
    if (typeof value === 'boolean') await control.setChecked(value);
    else if (!(await isListbox(control))) await control.fill(value as string);
    else for (const option of [value].flat()) await choose(control, option);
  }
}

const isListbox = async (control: Locator): Promise<boolean> =>
  (await control.getAttribute('aria-haspopup')) === 'listbox';

async function choose(control: Locator, option: string): Promise<void> {
  await control.click();
  if (await control.isEditable()) await control.fill(option);
  const page = control.page();
  const found = page.getByRole('option', { name: option, exact: true });
  // Tags need no options: what is typed becomes one.
  if ((await control.getAttribute('aria-autocomplete')) === null && (await found.count()) === 0)
    await control.press('Enter');
  else await found.click();
}

/** A list of the form: of races, tickets, questions and so on. */
export const list = (scope: Locator, name: string): Locator =>
  scope.getByRole('region', { name, exact: true });

/** Adds a row to a list, and fills it. */
export async function add(rows: Locator, action: string, values: Typed): Promise<Locator> {
  await rows.locator('> button', { hasText: action }).click();
  const row = rows.locator('> ol > li').last();
  await fill(row.locator('> .row-body > .tiles'), values);
  return row;
}
