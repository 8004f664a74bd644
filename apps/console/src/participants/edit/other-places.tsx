import { Link } from 'wouter';
import { Dialog } from '../../pieces';
import { useGet } from '../../session';
import { useTexts } from '../../texts';

interface OtherPlacesProps {
  ids: string[];
  onShow?(): void;
  onClose(): void;
}

/** After a place was given: the other places of the same person in the event. */
export function OtherPlaces({ ids, onShow, onClose }: OtherPlacesProps) {
  const { participants, close } = useTexts();
  return (
    <Dialog title={participants.otherPlacesTitle} done={close} onClose={onClose}>
      <p>{participants.otherPlaces}</p>
      <ul className="dim">
        {ids.map((id) => (
          <li key={id}>
            <Link to={`/participants/${id}`} onClick={onShow}>
              <Place id={id} />
            </Link>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

function Place({ id }: { id: string }) {
  const { participants } = useTexts();
  const { data } = useGet(['participant', id, 'entry'], '/v0/participants/{id}', { path: { id } });
  if (!data) return id;
  const bib = data.bibNumber && participants.saidBib(data.bibNumber);
  return [data.raceName, data.ticketTitle, bib, data.externalBookingId].filter(Boolean).join(', ');
}
