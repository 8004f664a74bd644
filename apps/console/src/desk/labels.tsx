import type { RaceToPrint } from '../api';
import { useTexts } from '../texts';
import { nameOf, type Person } from './print-order';
import { QrCode } from './qr-code';

/** Labels for sheets of 3 by 8. The code is the id of the participant, which the desk finds. */
export function BibLabels({ race, people }: { race: RaceToPrint; people: Person[] }) {
  const { participants } = useTexts();
  return (
    <ul className="labels">
      {people.map((person) => (
        <li key={person.participantId} className="label">
          <QrCode text={person.participantId} />
          <span className="label-bib">{person.bibNumber ?? '–'}</span>
          <span className="label-name">{nameOf(person) || participants.nameless}</span>
          <span className="label-line">{[race.title, person.wave?.title].filter(Boolean).join(' · ')}</span>
          {person.teamName && <span className="label-line">{person.teamName}</span>}
        </li>
      ))}
    </ul>
  );
}

/** The name and the answers that somebody chose, a line each. */
export function AddressLabels({ people }: { people: Person[] }) {
  const { participants } = useTexts();
  return (
    <ul className="labels">
      {people.map((person) => (
        <li key={person.participantId} className="label" data-address>
          <span className="label-name">{nameOf(person) || participants.nameless}</span>
          {person.answers.map(
            (line, i) =>
              line && (
                // The lines are in the order of the questions, which are not repeated.
                <span key={`${i}`} className="label-line">
                  {line}
                </span>
              ),
          )}
        </li>
      ))}
    </ul>
  );
}
