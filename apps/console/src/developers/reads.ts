import { useGet } from '../session';
import { useTexts } from '../texts';

/** What a timing key can read about participants: the answers to questions too. */
export function useReadable(isAsked: boolean): { value: string; label: string }[] {
  const { developers } = useTexts();
  const { data } = useGet(['fields'], '/v0/booking-form-fields', undefined, { enabled: isAsked });
  const questions = data?.data.map(({ key, label }) => ({ value: `field:${key}`, label })) ?? [];
  return [...Object.entries(developers.readable).map(([value, label]) => ({ value, label })), ...questions];
}
