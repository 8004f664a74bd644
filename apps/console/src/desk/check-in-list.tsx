import { Box, VisuallyHidden } from '@mantine/core';
import type { RaceToPrint } from '../api';
import { useTexts } from '../texts';
import { nameOf, type PrintedWave } from './print-order';

/** A table for each wave, on pages of its own. Its header repeats on each page. */
export function CheckInList({ race, waves }: { race: RaceToPrint; waves: PrintedWave[] }) {
  const { desk, participants, locale } = useTexts();
  const clock = new Intl.DateTimeFormat(locale, {
    timeZone: race.timeZone,
    dateStyle: 'medium',
    timeStyle: 'short',
  });
  return waves.map(({ id, title, startDateTime, people }) => (
    <table key={id} className="check-in-list">
      <VisuallyHidden component="caption">{title ?? desk.withoutWave}</VisuallyHidden>
      <thead>
        <tr>
          <th colSpan={5} scope="colgroup">
            <Box fz={18}>{race.eventTitle}</Box>
            <Box fw={400}>
              {[
                race.title,
                waves.length > 1 || title ? (title ?? desk.withoutWave) : undefined,
                startDateTime && clock.format(new Date(startDateTime)),
                desk.peopleOf(people.length),
              ]
                .filter(Boolean)
                .join(' · ')}
            </Box>
          </th>
        </tr>
        <tr>
          <th scope="col">{participants.bib}</th>
          <th scope="col">{participants.name}</th>
          <th scope="col">{participants.team}</th>
          <th scope="col">{participants.ticket}</th>
          <th scope="col">{desk.present}</th>
        </tr>
      </thead>
      <tbody>
        {people.map((person) => (
          <tr key={person.participantId}>
            <td className="bib">{person.bibNumber ?? '–'}</td>
            <td>
              <strong>{person.lastName}</strong>
              {person.lastName && person.firstName && ', '}
              {person.firstName}
              {!nameOf(person) && participants.nameless}
            </td>
            <td>{person.teamName}</td>
            <td>{person.ticketTitle}</td>
            <td>
              <span
                className="box"
                role="img"
                aria-label={person.checkedIn ? participants.yes : participants.no}
              >
                {person.checkedIn ? '✓' : ''}
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  ));
}
