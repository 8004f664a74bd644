import type { StaffRole } from './api';

/** Every role is named, so that a new one has to be decided on each page. */
type Roles = Readonly<Record<StaffRole, boolean>>;

const EVERYONE: Roles = { OWNER: true, MANAGER: true, VIEWER: true, RACE_DAY: true, PARTNER: true };
const READERS: Roles = { OWNER: true, MANAGER: true, VIEWER: true, RACE_DAY: false, PARTNER: false };
const WRITERS: Roles = { OWNER: true, MANAGER: true, VIEWER: false, RACE_DAY: false, PARTNER: false };
const DESK: Roles = { OWNER: true, MANAGER: true, VIEWER: false, RACE_DAY: true, PARTNER: false };
const PARTNERS: Roles = { OWNER: false, MANAGER: false, VIEWER: false, RACE_DAY: false, PARTNER: true };
const READERS_AND_PARTNERS: Roles = { ...READERS, PARTNER: true };
const OWNERS: Roles = { OWNER: true, MANAGER: false, VIEWER: false, RACE_DAY: false, PARTNER: false };

/** Every page, and the roles that can use it. The first that matches an address is shown. The API enforces access. */
export const PAGES = {
  '/': READERS,
  '/imports': READERS,
  '/imports/new': WRITERS,
  '/imports/:id': READERS,
  '/participants': READERS_AND_PARTNERS,
  '/participants/person': WRITERS,
  '/participants/:id': READERS_AND_PARTNERS,
  '/applications': READERS,
  '/applications/ballots': READERS,
  '/applications/ballots/:id': READERS,
  '/applications/:id': READERS,
  '/partners': READERS,
  '/partners/groups': READERS,
  '/partners/groups/:id': READERS,
  '/partners/codes': READERS,
  '/partners/codes/:id': READERS,
  '/partners/referrals/:id': READERS,
  '/partners/:id': READERS,
  '/events': READERS,
  '/events/new': WRITERS,
  '/events/upload': WRITERS,
  '/events/:id': READERS,
  '/events/:id/edit': WRITERS,
  '/desk': DESK,
  '/desk/feed': DESK,
  '/desk/print': DESK,
  '/desk/bibs': WRITERS,
  '/developers': READERS,
  '/developers/keys': OWNERS,
  '/developers/keys/:id': OWNERS,
  '/developers/requests': WRITERS,
  '/developers/webhooks': READERS,
  '/developers/deliveries': READERS,
  '/people': OWNERS,
  '/log': WRITERS,
  '/places': PARTNERS,
  '/places/file': PARTNERS,
  '/places/imports/:id': PARTNERS,
  '/account': EVERYONE,
} as const satisfies Record<`/${string}`, Roles>;

export type PagePath = keyof typeof PAGES;

export const PAGE_PATHS = Object.keys(PAGES) as PagePath[];
