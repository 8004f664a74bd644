import { useQueries } from '@tanstack/react-query';
import type { BookingFormField, Participant } from '../api';
import { useSession } from '../session/session';

const STALE_MS = 300_000;
/** The fields of the booking forms of tickets, by ticket. A ticket is absent while they load. */
export function useQuestions(ticketIds: readonly string[]): ReadonlyMap<string, BookingFormField[]> {
  const { api, organizationId } = useSession();
  const ids = [...new Set(ticketIds)];
  const answers = useQueries({
    queries: ids.map((id) => ({
      queryKey: [organizationId, 'partner', 'questions', id],
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        const forms = await api.get('/v0/tickets/{id}/booking-forms', { params: { path: { id } }, signal });
        const fields = await Promise.all(
          forms.data.map((form) =>
            api.get('/v0/booking-forms/{id}/fields', { params: { path: { id: form.id } }, signal }),
          ),
        );
        return fields.flatMap(({ data }) => data);
      },
      staleTime: STALE_MS,
    })),
  });
  return new Map(ids.flatMap((id, i) => (answers[i]?.data ? [[id, answers[i].data]] : [])));
}

const isAnswered = (value: unknown): boolean =>
  value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);

/** The labels of required questions without an answer, and of a missing email. */
export function missingOf({ fields }: Participant, questions: readonly BookingFormField[]): string[] {
  const answers = new Map(fields.map(({ id, value }) => [id, value]));
  const asked = questions.filter(({ key, required }) => required && key !== 'email');
  const open = asked.filter(({ id, type }) =>
    // A waiver is accepted or not; "no" answers other questions.
    type === 'WAIVER' ? answers.get(id) !== true : !isAnswered(answers.get(id)),
  );
  const email = fields.filter(({ key, value }) => key === 'email' && !isAnswered(value));
  return [...email, ...open].map(({ label }) => label);
}
