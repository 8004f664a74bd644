import { Button } from '@mantine/core';
import { useTexts } from '../texts';
import type { DeskQueue, PendingChange } from './queue';

/** The number of queued changes, and the changes that the server rejected. */
export function PendingChanges({ queue, pending }: { queue: DeskQueue; pending: PendingChange[] }) {
  const { desk, done, participants } = useTexts();
  const waiting = pending.filter(({ refused }) => !refused);
  const refused = pending.filter((change) => change.refused);
  const words = ({ bibNumber, checkIn }: PendingChange) =>
    [
      bibNumber !== undefined && `${participants.bib} ${bibNumber ?? '–'}`,
      checkIn !== undefined && (checkIn ? desk.checkIn : desk.undoCheckIn),
    ]
      .filter(Boolean)
      .join(', ');
  return (
    <>
      <div role="status">
        {waiting.length > 0 && <p className="notice">{desk.waiting(waiting.length)}</p>}
      </div>
      {refused.map((change) => (
        <div key={change.id} className="problem" role="alert">
          <div>
            <h2>
              {change.name}: {words(change)}
            </h2>
            <p>{change.refused}</p>
            <Button variant="default" size="sm" onClick={() => queue.remove(change.id)}>
              {done}
            </Button>
          </div>
        </div>
      ))}
    </>
  );
}
