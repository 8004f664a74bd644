import { Badge } from '../pieces';
import { useTexts } from '../texts';
import type { Listed } from './listed';

type Person = Pick<Listed, 'firstName' | 'lastName' | 'cancelled' | 'gdprRedacted'>;

export function PersonName({ person: { firstName, lastName } }: { person: Person }) {
  const { participants } = useTexts();
  return `${firstName ?? ''} ${lastName ?? ''}`.trim() || participants.nameless;
}

export function PersonStatus({ person: { cancelled, gdprRedacted } }: { person: Person }) {
  const { participants } = useTexts();
  if (gdprRedacted) return <Badge>{participants.redacted}</Badge>;
  return <Badge tone={cancelled ? 'bad' : 'good'}>{participants[cancelled ? 'cancelled' : 'active']}</Badge>;
}
