import { Link } from 'wouter';
import { useSession } from '../session';
import { useTexts } from '../texts';

/** Whom a message is about. */
export function Subject({
  bibNumber,
  participantId,
}: {
  bibNumber: string | null;
  participantId: string | null;
}) {
  const { desk, participants } = useTexts();
  const { may } = useSession();
  const text = bibNumber ? participants.saidBib(bibNumber) : desk.participant;
  if (!participantId || !may('OWNER', 'MANAGER')) return <strong>{text}</strong>;
  return (
    <Link className="row-link" to={`/participants/${participantId}`}>
      {text}
    </Link>
  );
}
