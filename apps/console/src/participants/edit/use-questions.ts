import { useQueries, useQuery } from '@tanstack/react-query';
import { useSession } from '../../session/session';

/** Have properties of their own. */
const IDENTITY = ['firstName', 'lastName', 'email', 'dateOfBirth', 'gender'];

export interface Question {
  id: string;
  key: string;
  label: string;
  type: string;
  options: { value: string; label: string }[];
  required: boolean;
  helpText: string | null;
}

export interface Questions {
  /** Undefined while they load. */
  asked?: Question[];
  /** The options of the question about gender, and which questions about the person need an answer. */
  genders?: Question['options'];
  required: ReadonlySet<string>;
  error: Error | null;
}

/** The questions of a ticket's booking forms. */
export function useQuestions(ticketId: string | undefined): Questions {
  const { api, organizationId } = useSession();
  const staleTime = 60_000;
  const forms = useQuery({
    queryKey: [organizationId, 'ticket', ticketId, 'forms'],
    queryFn: ({ signal }) =>
      api.get('/v0/tickets/{id}/booking-forms', { params: { path: { id: ticketId ?? '' } }, signal }),
    enabled: ticketId !== undefined,
    staleTime,
  });
  const fields = useQueries({
    queries: (forms.data?.data ?? []).map(({ id }) => ({
      queryKey: [organizationId, 'booking-form', id, 'fields'],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        api.get('/v0/booking-forms/{id}/fields', {
          params: { path: { id }, query: { 'page[size]': 500 } },
          signal,
        }),
      staleTime,
    })),
  });
  const isRead = forms.data && fields.every(({ data }) => data);
  const all = new Map(
    fields.flatMap(({ data }) => data?.data ?? []).map((field) => [field.id, field as Question]),
  );
  const every = [...all.values()];
  return {
    asked: isRead ? every.filter(({ key }) => !IDENTITY.includes(key)) : undefined,
    genders: every.find(({ key, type }) => key === 'gender' && type === 'SELECT')?.options,
    required: new Set(every.flatMap(({ key, required }) => (required ? key : []))),
    error: forms.error ?? fields.find(({ error }) => error)?.error ?? null,
  };
}
