import { useQuery } from '@tanstack/react-query';
import type { BookingFormField, Participant } from '../api';
import type { Order } from '../pieces';
import { readAll, useSession } from '../session';
import { useTexts } from '../texts';
import { useQuestionsOf } from './edit/use-questions';
import { type ListedByPartner, listed } from './listed';
import { unansweredOf } from './unanswered-of';

const PAGE = 500;
/** Participants that are read at once: lists of partners are short, and are searched here. */
const MOST = 2_000;
const OFTEN_MS = 60_000;
const SHOWN = 50;

interface Filters {
  q?: string;
  eventOccurrenceId?: string;
  status?: string;
}

/** The participants of the member's partner and its sub-partners, as keys of the partner list them. */
export function useParticipantsOfPartner(
  { q = '', eventOccurrenceId, status }: Filters,
  order: Order,
  cursor: { 'page[after]'?: string; 'page[before]'?: string },
) {
  const { api, organizationId, me } = useSession();
  const { locale } = useTexts();
  const { data, error, refetch } = useQuery({
    queryKey: [organizationId, 'participants', 'all', eventOccurrenceId],
    queryFn: ({ signal }) => {
      const query = { eventOccurrenceId, 'page[size]': PAGE };
      return readAll(api, '/v0/participants', { query }, { signal, most: MOST });
    },
    enabled: me.partner !== null,
    refetchInterval: OFTEN_MS,
  });
  const questions = useQuestionsOf(data?.items.map(({ ticketId }) => ticketId) ?? []).of;
  const all = data?.items.map((participant) => byPartner(participant, questions.get(participant.ticketId)));
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  const found = all
    ?.filter(
      (person) =>
        (status ? person.state === status : !person.cancelled) &&
        words.every((word) =>
          [person.firstName, person.lastName, person.email, person.bibNumber].some((text) =>
            text?.toLowerCase().includes(word),
          ),
        ),
    )
    .sort(inOrder(order, locale));
  const at = Number(cursor['page[before]'] ?? cursor['page[after]'] ?? 0);
  return {
    data: found && {
      data: found.slice(at, at + SHOWN),
      page: {
        next: at + SHOWN < found.length ? String(at + SHOWN) : '',
        prev: at > 0 ? String(at - SHOWN) : '',
        totalResults: found.length,
      },
    },
    /** How many lack something, how many were read and how many there are. */
    open: all?.filter(({ state }) => state === 'open').length ?? 0,
    read: data?.items.length ?? 0,
    total: data?.total ?? 0,
    ...{ error, refetch, isPlaceholderData: false },
  };
}

function byPartner(participant: Participant, asked: BookingFormField[] | undefined): ListedByPartner {
  const person = listed(participant);
  const unanswered =
    person.cancelled || person.gdprRedacted || !asked ? [] : unansweredOf(participant, asked);
  const missing = unanswered.flatMap(({ needed, label }) => (needed ? label : []));
  return {
    ...person,
    group: participant.reservedEntryGroupName,
    partner: participant.reservedEntryPartnerName,
    missing,
    state: person.cancelled ? 'cancelled' : asked && (missing.length > 0 ? 'open' : 'complete'),
  };
}

const VALUES: Record<string, (person: ListedByPartner) => string | null> = {
  name: ({ firstName, lastName }) => `${lastName ?? ''} ${firstName ?? ''}`.trim(),
  bib: ({ bibNumber }) => bibNumber,
  wave: ({ waveTitle }) => waveTitle,
  createdAt: ({ createdAt }) => createdAt,
  updatedAt: ({ updatedAt }) => updatedAt,
};

/** Those without a value are last. */
function inOrder({ by, up }: Order, locale: string) {
  const { compare } = new Intl.Collator(locale, { numeric: true });
  const textIn = (person: ListedByPartner) => VALUES[by]?.(person) || undefined;
  return (one: ListedByPartner, other: ListedByPartner): number => {
    const [a, b] = [textIn(one), textIn(other)];
    if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
    return up ? compare(a, b) : compare(b, a);
  };
}
