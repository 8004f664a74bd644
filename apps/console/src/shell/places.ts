import type { PagePath } from '../pages';
import type { IconName } from '../pieces';
import type { Texts } from '../texts/en';

interface Place {
  to: PagePath;
  icon: IconName;
  text(texts: Texts): string;
}

/** The main sections, of which each role sees those that it can use. */
export const PLACES: Place[] = [
  { to: '/', icon: 'home', text: ({ home }) => home.title },
  { to: '/places', icon: 'places', text: ({ partners }) => partners.places },
  { to: '/imports', icon: 'imports', text: ({ imports }) => imports.title },
  { to: '/participants', icon: 'participants', text: ({ participants }) => participants.title },
  { to: '/applications', icon: 'applications', text: ({ applications }) => applications.title },
  { to: '/partners', icon: 'partners', text: ({ partners }) => partners.title },
  { to: '/events', icon: 'events', text: ({ events }) => events.title },
  { to: '/desk', icon: 'desk', text: ({ desk }) => desk.title },
  { to: '/developers', icon: 'developers', text: ({ developers }) => developers.title },
  { to: '/people', icon: 'people', text: ({ people }) => people.title },
  { to: '/log', icon: 'log', text: ({ log }) => log.title },
];
