import * as parts from './all';
import { LOCALE, number } from './words';

export const en = {
  ...parts,
  locale: LOCALE,
  number,
  product: 'Startline',
  skipToContent: 'Skip to content',
  cancel: 'Cancel',
  close: 'Close',
  save: 'Save',
  done: 'Done',
  copy: 'Copy',
  copyId: 'Copy ID',
  copied: 'Copied',
  total: (count: number) => `${number(count)} in total`,
  zone: (zone: string) => `Time zone: ${zone}`,

  roles: { OWNER: 'Owner', MANAGER: 'Manager', VIEWER: 'Viewer', RACE_DAY: 'Race day', PARTNER: 'Partner' },
  leaving: {
    title: 'Leave without saving?',
    text: (isKept: boolean) =>
      `Your changes are not saved. ${isKept ? 'This browser keeps them until you come back to this form.' : 'This browser has no room for them: they will be lost.'}`,
    leave: 'Leave',
    stay: 'Stay',
  },

  table: {
    previousPage: 'Previous page',
    nextPage: 'Next page',
    order: 'Order',
    columns: 'Columns',
    ascending: (by: string) => `${by}, ascending`,
    descending: (by: string) => `${by}, descending`,
  },
};

export type Texts = typeof en;
