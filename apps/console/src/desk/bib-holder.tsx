import { useGet } from '../session';
import { useTexts } from '../texts';

interface BibHolderProps {
  bib: string;
  holderId: string;
}

/** Who has a bib that was refused. Without a connection, the bib alone. */
export function BibHolder({ bib, holderId }: BibHolderProps) {
  const { participants } = useTexts();
  const { data } = useGet(['participant', holderId], '/console/v1/participants/{id}', {
    path: { id: holderId },
  });
  const name = data && (`${data.firstName ?? ''} ${data.lastName ?? ''}`.trim() || participants.nameless);
  return (
    <p>
      {participants.bibHeld(bib)}. {name && participants.bibHeldBy(name)}
    </p>
  );
}
