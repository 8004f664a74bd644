import { useSession } from '../session';
import { useTexts } from '../texts';
import type { Texts } from '../texts/en';

/** The words for participants. For members of partners, some are others. */
export function useWords(): Texts['participants'] {
  const { participants, partner } = useTexts();
  const { me } = useSession();
  return me.partner ? { ...participants, ...partner.participants } : participants;
}
