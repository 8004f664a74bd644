import { useQuery } from '@tanstack/react-query';
import { useSession } from '../session/session';
import { useTexts } from '../texts';

interface BibHolderProps {
  bib: string;
  holderId: string;
}

/** Who has a bib that was refused. Without a connection, the bib alone. */
export function BibHolder({ bib, holderId }: BibHolderProps) {
  const { participants } = useTexts();
  const { api, organizationId } = useSession();
  const { data } = useQuery({
    queryKey: [organizationId, 'participant', holderId],
    queryFn: ({ signal }) =>
      api.get('/console/v1/participants/{id}', { params: { path: { id: holderId } }, signal }),
  });
  const name = data && (`${data.firstName ?? ''} ${data.lastName ?? ''}`.trim() || participants.nameless);
  return (
    <p>
      {participants.bibHeld(bib)}. {name && participants.bibHeldBy(name)}
    </p>
  );
}
