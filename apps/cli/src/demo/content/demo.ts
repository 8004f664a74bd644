import { cohorts } from './cohorts';
import { addOns, codes, groups, partners } from './offers';
import { running } from './running';
import type { DemoContent } from './shapes';
import { trail } from './trail';
import { water } from './water';
import { wheelsAndMud } from './wheels-and-mud';

export const demo: DemoContent = {
  slug: 'demo',
  name: 'Startline Demo Events',
  website: 'https://demo.startline.example',
  keys: [
    { name: 'demo', kind: 'ORGANIZER' },
    { name: 'demo-marketplace', kind: 'MARKETPLACE' },
    { name: 'demo-timing', kind: 'TIMING' },
  ],
  events: [...running, ...trail, ...water, ...wheelsAndMud],
  partners,
  groups,
  codes,
  addOns,
  cohorts,
};
