import { useDebouncedValue } from '@mantine/hooks';
import { useJobName } from '../imports/job-name';
import type { PagePath } from '../pages';
import { TABS, useDay } from '../pieces';
import { useGet, useSession } from '../session';
import { useTexts } from '../texts';
import type { Texts } from '../texts/en';
import { PLACES } from './places';

/** Fewer letters find pages only. */
const SHORTEST = 2;
/** Names of imports are found by so many. */
const SHORTEST_OF_IMPORTS = 3;
const LONGEST = 100;
const TYPING_MS = 120;
const MOST = 5;

export interface Match {
  to: string;
  title: string;
  /** What tells it from others with its title. */
  more?: string;
}

export interface Matches {
  groups: { title: string; matches: Match[] }[];
  /** What was typed is still searched. */
  isPending: boolean;
  /** Something could not be searched. */
  failed: boolean;
}

/** Everything that the role can reach, by a few letters of its name. */
export function useMatches(typed: string): Matches {
  const texts = useTexts();
  const { participants, events, imports, partners, palette } = texts;
  const { me, opens, may } = useSession();
  const day = useDay();
  const nameOf = useJobName();
  const wanted = typed.trim().slice(0, LONGEST);
  const [search] = useDebouncedValue(wanted, TYPING_MS);
  const query = { search, 'page[size]': MOST };
  const among = (page: PagePath, least = SHORTEST) => ({
    enabled: !me.partner && opens(page) && search.length >= least,
    staleTime: 10_000,
  });
  const key = (of: string) => ['palette', of, search];
  const people = useGet(key('people'), '/console/v1/participants', { query }, among('/participants'));
  const occurrences = useGet(key('events'), '/console/v1/event-occurrences', { query }, among('/events'));
  const races = useGet(
    key('races'),
    '/console/v1/race-day/races',
    { query },
    { ...among('/participants'), enabled: may('OWNER', 'MANAGER') && search.length >= SHORTEST },
  );
  const codes = useGet(key('codes'), '/console/v1/discount-codes', { query }, among('/partners/codes'));
  const jobs = useGet(
    key('imports'),
    '/console/v1/import-jobs',
    { query },
    among('/imports', SHORTEST_OF_IMPORTS),
  );
  const groups = [
    {
      title: participants.title,
      matches: (people.data?.data ?? []).map(({ id, firstName, lastName, ...person }) => ({
        to: `/participants/${id}`,
        title: [firstName, lastName].filter(Boolean).join(' ') || participants.nameless,
        more: [person.bibNumber, person.eventTitle, person.cancelled && participants.cancelled]
          .filter(Boolean)
          .join(' · '),
      })),
    },
    {
      title: events.title,
      matches: (occurrences.data?.data ?? []).map(({ id, title, startDate }) => ({
        to: `/events/${id}`,
        title,
        more: startDate ? day(startDate) : events.undated,
      })),
    },
    {
      title: events.races,
      matches: (races.data?.data ?? []).map(({ id, title, eventOccurrenceId, eventTitle }) => ({
        to: `/participants?${new URLSearchParams({ eventOccurrenceId, raceId: id })}`,
        title,
        more: eventTitle,
      })),
    },
    {
      title: partners.codes,
      matches: (codes.data?.data ?? []).map(({ id, code, group }) => ({
        to: `/partners/codes/${id}`,
        title: code,
        more: group ?? undefined,
      })),
    },
    {
      title: imports.title,
      matches: (jobs.data?.data ?? []).map((job) => ({
        to: `/imports/${job.jobId}`,
        title: nameOf(job),
        more: imports.statuses[job.status],
      })),
    },
    {
      title: palette.pages,
      matches: pagesOf(texts).filter(
        ({ to, title }) => opens(to) && title.toLowerCase().includes(wanted.toLowerCase()),
      ),
    },
  ].filter(({ matches }) => matches.length > 0);
  const answers = [people, occurrences, races, codes, jobs];
  const isPending = wanted !== search || answers.some(({ isLoading }) => isLoading);
  const failed = !isPending && answers.some(({ isLoadingError }) => isLoadingError);
  return { groups: isPending ? [] : groups, isPending, failed };
}

/** The pages of the navigation and of their tabs, and what begins something. */
function pagesOf(texts: Texts): { to: PagePath; title: string }[] {
  const { newEvent, imports, persons, account, partner } = texts;
  const pages = [
    ...PLACES.map(({ to, text }) => ({ to, title: text(texts) })),
    ...Object.values(TABS).flatMap((tabs) => tabs(texts).map(({ to, text }) => ({ to, title: text }))),
    { to: '/events/new', title: newEvent.title },
    { to: '/events/upload', title: texts.uploadEvents.title },
    { to: '/imports/new', title: imports.upload },
    { to: '/participants/person', title: persons.link },
    { to: '/places/file', title: partner.assignFile },
    { to: '/account', title: account.title },
  ] as const;
  return pages.filter(({ to }, i) => pages.findIndex((page) => page.to === to) === i);
}
