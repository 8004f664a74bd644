import { Button, Group } from '@mantine/core';
import { Alert } from '../pieces';
import { useTexts } from '../texts';
import { BibHolder } from './bib-holder';
import { type DeskQueue, isUnsent, type PendingChange } from './queue';

interface PendingChangesProps {
  queue: DeskQueue;
  pending: PendingChange[];
  /** Shows a participant. */
  onShow(participantId: string): void;
}

/** The number of queued changes, and the changes that the server rejected, with the holder of a bib that is taken. */
export function PendingChanges({ queue, pending, onShow }: PendingChangesProps) {
  const { desk, done, participants, problems } = useTexts();
  const waiting = pending.filter(isUnsent);
  const refused = pending.filter((change) => change.refused);
  const words = ({ bibNumber, checkIn, parcel, trackingNumber }: PendingChange) =>
    [
      bibNumber !== undefined && `${participants.bib} ${bibNumber ?? '–'}`,
      checkIn !== undefined && (checkIn ? desk.checkIn : desk.undoCheckIn),
      parcel && `${desk.parcel}: ${desk.parcelStates[parcel]}`,
      trackingNumber && `${desk.trackingNumber}: ${trackingNumber}`,
    ]
      .filter(Boolean)
      .join(', ');
  return (
    <>
      <div role="status">
        {waiting.length > 0 && <p className="notice">{desk.waiting(waiting.length)}</p>}
      </div>
      {refused.map((change) => (
        <Alert key={change.id} title={`${change.name}: ${words(change)}`}>
          {change.holderId ? (
            <BibHolder bib={change.bibNumber ?? ''} holderId={change.holderId} />
          ) : (
            <p>{change.forbidden ? `${problems.forbidden}. ${problems.forbiddenAdvice}` : change.refused}</p>
          )}
          <Group gap="8px 16px">
            {change.holderId && (
              <Button variant="default" size="sm" onClick={() => onShow(change.holderId ?? '')}>
                {participants.showHolder}
              </Button>
            )}
            {change.forbidden && (
              <Button variant="default" size="sm" onClick={() => queue.retry(change.id)}>
                {problems.retry}
              </Button>
            )}
            <Button variant="default" size="sm" onClick={() => queue.remove(change.id)}>
              {done}
            </Button>
          </Group>
        </Alert>
      ))}
    </>
  );
}
