import { useQueries, useQuery } from '@tanstack/react-query';
import { asking, type BookingFormField, type FormField, IDENTITY_KEYS, questionsOf } from '../../api';
import { useSession } from '../../session';

const STALE_MS = 60_000;
const NONE: FormField[] = [];

export interface Questions {
  /** Undefined while they load. */
  asked?: BookingFormField[];
  /** The options of the question about gender, and which questions about the person need an answer. */
  genders?: BookingFormField['options'];
  required: ReadonlySet<string>;
  error: Error | null;
}

/** The questions of all booking forms; none for a role that does not see them. */
export function useAllQuestions(enabled = true): FormField[] {
  const { api, organizationId } = useSession();
  const { data = NONE } = useQuery({
    queryKey: [organizationId, 'questions'],
    queryFn: () => questionsOf(asking(api)),
    enabled,
    staleTime: STALE_MS,
  });
  return data;
}

/** The questions of the booking forms of tickets, by ticket. A ticket is absent while they load. */
export function useQuestionsOf(ticketIds: readonly string[]) {
  const { api, organizationId } = useSession();
  const ids = [...new Set(ticketIds)];
  const answers = useQueries({
    queries: ids.map((id) => ({
      queryKey: [organizationId, 'questions', id],
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        const forms = await api.get('/v0/tickets/{id}/booking-forms', { params: { path: { id } }, signal });
        const pages = await Promise.all(
          forms.data.map((form) =>
            api.get('/v0/booking-forms/{id}/fields', {
              params: { path: { id: form.id }, query: { 'page[size]': 500 } },
              signal,
            }),
          ),
        );
        const fields = pages.flatMap(({ data }) => data);
        return [...new Map(fields.map((field) => [field.id, field])).values()];
      },
      staleTime: STALE_MS,
    })),
  });
  return {
    of: new Map(ids.flatMap((id, i) => (answers[i]?.data ? [[id, answers[i].data]] : []))),
    error: answers.find(({ error }) => error)?.error ?? null,
  };
}

/** The questions of a ticket: about the person, and others. */
export function useQuestions(ticketId: string | undefined): Questions {
  const { of, error } = useQuestionsOf(ticketId ? [ticketId] : []);
  const every = of.get(ticketId ?? '');
  return {
    asked: every?.filter(({ key }) => !IDENTITY_KEYS.some((each) => each === key)),
    genders: every?.find(({ key, type }) => key === 'gender' && type === 'SELECT')?.options,
    required: new Set(every?.flatMap(({ key, required }) => (required ? key : []))),
    error,
  };
}
