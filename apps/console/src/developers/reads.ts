import { useQuery } from '@tanstack/react-query';
import { useSession } from '../session/session';
import { useTexts } from '../texts';

/** What a timing key can read about participants: the answers to questions too. */
export function useReadable(isAsked: boolean): { value: string; label: string }[] {
  const { developers } = useTexts();
  const { api, organizationId } = useSession();
  const { data } = useQuery({
    queryKey: [organizationId, 'fields'],
    queryFn: ({ signal }) => api.get('/v0/booking-form-fields', { signal }),
    enabled: isAsked,
  });
  const questions = data?.data.map(({ key, label }) => ({ value: `field:${key}`, label })) ?? [];
  return [...Object.entries(developers.readable).map(([value, label]) => ({ value, label })), ...questions];
}
