import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { compared } from '../../api';
import { Problem } from '../../pieces';
import { useGet, useSession } from '../../session';
import { useTexts } from '../../texts';
import { concernedBy } from '../rows/concerned';
import type { RemedyProps } from './remedy-props';

/** Taken bibs whose holders are shown. */
const SHOWN = 3;

/** Who has the bibs, and the next free ones: those after the highest number of the race. */
export function FreeBibs({ rows, table }: RemedyProps) {
  const { rows: texts } = useTexts();
  const { api, organizationId } = useSession();
  const bibs = rows.flatMap((row, place) =>
    concernedBy(row).map((path) => ({
      place,
      path,
      bib: row.cells[path] ?? '',
      ticketId: table.textOf(row, path.replace(/bibNumber$/, 'ticketId')),
      occurrence: row.cells.eventOccurrenceId,
    })),
  );
  const tickets = [...new Set(bibs.map(({ ticketId }) => ticketId))];
  // Read before the button is pressed, so that the cells have the bibs when the rows are sent. Read again when they come back.
  const { data: free, error } = useQuery({
    queryKey: [organizationId, 'free-bibs', tickets, bibs.length, bibs[0]?.bib],
    queryFn: async ({ signal }) => {
      const races = new Map<string, string>();
      const next = new Map<string, number>();
      for (const ticketId of tickets) {
        const ticket = { params: { path: { id: ticketId } }, signal };
        const { raceId } = await api.get('/v0/tickets/{id}', ticket);
        races.set(ticketId, raceId);
        if (next.has(raceId)) continue;
        const race = { params: { path: { id: raceId } }, signal };
        next.set(raceId, (await api.get('/console/v1/races/{id}/bibs', race)).highest + 1);
      }
      return { races, next };
    },
  });
  const take = (known: NonNullable<typeof free>) => {
    const next = new Map(known.next);
    table.change(
      bibs.map(({ place, path, ticketId }) => {
        const raceId = known.races.get(ticketId) ?? '';
        const bib = next.get(raceId) ?? 1;
        next.set(raceId, bib + 1);
        return { row: place, column: path, text: String(bib) };
      }),
    );
  };
  return (
    <>
      <ul className="plain-list">
        {bibs.slice(0, SHOWN).map(({ bib, occurrence, place }) => (
          <Holder key={`${place} ${bib}`} bib={bib} occurrence={occurrence} />
        ))}
      </ul>
      {error && <Problem error={error} />}
      <Group gap="8px 16px">
        <Button variant="default" size="xs" disabled={!free} onClick={() => free && take(free)}>
          {texts.takeFreeBibs(bibs.length)}
        </Button>
        <Button
          variant="subtle"
          size="xs"
          onClick={() =>
            table.change(bibs.map(({ place, path }) => ({ row: place, column: path, text: '' })))
          }
        >
          {texts.leaveBibsEmpty}
        </Button>
      </Group>
    </>
  );
}

function Holder({ bib, occurrence }: { bib: string; occurrence: string | undefined }) {
  const { rows: texts } = useTexts();
  const { data } = useGet(['bib-holder', occurrence, bib], '/console/v1/participants', {
    query: { search: bib, 'sort[bib]': '1', ...(occurrence && { eventOccurrenceId: occurrence }) },
  });
  const holder = data?.data.find(
    ({ bibNumber, cancelled }) => !cancelled && bibNumber && compared(bibNumber) === compared(bib),
  );
  if (!holder) return null;
  const name = [holder.firstName, holder.lastName].filter(Boolean).join(' ');
  return (
    <li>
      {texts.bibOf(bib)} <Link to={`/participants/${holder.id}`}>{name || holder.id}</Link>
    </li>
  );
}
