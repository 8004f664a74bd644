import { useQueries } from '@tanstack/react-query';
import { type Participant, type StaffParticipant, StartlineError, UUID } from '../api';
import { useSession } from '../session';
import { useTexts } from '../texts';

const NOT_FOUND = 404;

/** What race-day fields are called, by their ids: as in the answers, else as in the booking form. */
export function useFieldLabels(person: StaffParticipant, entry: Participant): (id: string) => string {
  const { participants } = useTexts();
  const { api, organizationId } = useSession();
  const labels = new Map([
    ['checkIn', participants.checkIn],
    ...entry.fields.map(({ id, label }) => [id, label] as const),
  ]);
  const used = [
    ...entry.raceDayDetails.customFields,
    ...person.raceDayLog.messages.flatMap(({ customFields }) => customFields ?? []),
  ].map(({ id }) => id);
  const others = [...new Set(used)].filter((id) => UUID.test(id) && !labels.has(id));
  const answers = useQueries({
    queries: others.map((id) => ({
      queryKey: [organizationId, 'booking-form-field', id],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        api.get('/v0/booking-form-fields/{id}', { params: { path: { id } }, signal }).catch((error) => {
          if (error instanceof StartlineError && error.status === NOT_FOUND) return { label: id };
          throw error;
        }),
      staleTime: Number.POSITIVE_INFINITY,
    })),
  });
  others.forEach((id, i) => {
    const label = answers[i]?.data?.label;
    if (label) labels.set(id, label);
  });
  return (id) => labels.get(id) ?? id;
}
