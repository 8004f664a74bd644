import { Button, Group, NumberInput, Select, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { type BrowserClient, UUID } from '../../api';
import { slugFrom } from '../../events/edit/names';
import {
  changeOccurrence,
  type OccurrenceRecord,
  partOfOccurrence,
  type Row,
} from '../../events/write-catalogue';
import { Problem } from '../../pieces';
import { useSession } from '../../session';
import { useTexts } from '../../texts';
import { concernedBy } from '../rows/concerned';
import type { RemedyProps } from './remedy-props';

type What = 'waves' | 'tickets';
type Race = NonNullable<OccurrenceRecord['races']>[number];
interface Price {
  value: number;
  currencyCode: string;
}

/** A cell with a value that stands for nothing. */
interface Missing {
  /** The place of its row in the table. */
  row: number;
  path: string;
  text: string;
  ticketId: string;
}

/** Missing records that are offered at once. */
const SHOWN = 3;

interface CreateMissingProps extends RemedyProps {
  what: What;
}

/** Creates the waves or tickets that rows name, as the page of the event does, and puts them into the rows. */
export function CreateMissing({ what, rows, table }: CreateMissingProps) {
  const byOccurrence = new Map<string, Missing[]>();
  for (const [place, row] of rows.entries()) {
    for (const path of concernedBy(row)) {
      const text = row.cells[path] ?? '';
      // What has another value by now is no longer missing.
      if (!/(wave|ticket)Id$/.test(path) || table.textOf(row, path) !== text) continue;
      const occurrence = table.textOf(row, 'eventOccurrenceId');
      const ticketId = table.textOf(row, path.replace(/waveId$/, 'ticketId'));
      const known = byOccurrence.get(occurrence) ?? [];
      byOccurrence.set(occurrence, [...known, { row: place, path, text, ticketId }]);
    }
  }
  return [...byOccurrence]
    .slice(0, SHOWN)
    .map(([id, missing]) => (
      <OfOccurrence key={id} id={id} what={what} missing={missing} change={table.change} />
    ));
}

const recordOf = async (api: BrowserClient, id: string): Promise<OccurrenceRecord | undefined> =>
  (await partOfOccurrence(api, id)).find((state) => state.id === id)?.record as OccurrenceRecord | undefined;

interface OfOccurrenceProps {
  id: string;
  what: What;
  missing: Missing[];
  change: RemedyProps['table']['change'];
}

function OfOccurrence({ id, what, missing, change }: OfOccurrenceProps) {
  const { api, organizationId } = useSession();
  const { rows: texts } = useTexts();
  const queries = useQueryClient();
  const key = [organizationId, 'races-of', id];
  const { data: record } = useQuery({
    queryKey: key,
    queryFn: () => recordOf(api, id),
    enabled: UUID.test(id),
  });
  if (!record?.races?.length) return null;
  // A wave is of the race of its ticket; of which race a ticket is, people choose.
  const groups = new Map<string, Missing[]>();
  for (const each of missing) {
    const race = record.races.find(({ tickets = [] }) =>
      tickets.some((ticket) => ticket.id === each.ticketId),
    );
    if (what === 'waves' && !race) continue;
    const name = `${what === 'waves' ? race?.id : ''}\n${each.text}`;
    groups.set(name, [...(groups.get(name) ?? []), each]);
  }
  return (
    <>
      {[...groups].slice(0, SHOWN).map(([name, cells]) => (
        <Create
          key={name}
          what={what}
          races={
            what === 'waves'
              ? (record.races ?? []).filter((race) => race.id === name.split('\n')[0])
              : (record.races ?? [])
          }
          text={cells[0]?.text ?? ''}
          create={async (raceId, made) => {
            const madeId = await createdIn(api, id, raceId, what, made);
            await queries.invalidateQueries({ queryKey: [organizationId, 'records'] });
            if (madeId) change(cells.map(({ row, path }) => ({ row, column: path, text: madeId })));
            await queries.invalidateQueries({ queryKey: key });
          }}
        />
      ))}
      {what === 'tickets' && <Link to={`/events/${id}/edit`}>{texts.openEditor}</Link>}
    </>
  );
}

const IDENTITY = { waves: 'title', tickets: 'ticketSlug' } as const;

/** Adds a record to a race, unless it has it already. @returns its id */
async function createdIn(
  api: BrowserClient,
  occurrenceId: string,
  raceId: string,
  what: What,
  made: Row,
): Promise<string | undefined> {
  const same = (each: Row) => each[IDENTITY[what]] === made[IDENTITY[what]];
  await changeOccurrence(api, occurrenceId, (now) => ({
    ...now,
    races: now.races?.map((race) =>
      race.id !== raceId || race[what]?.some(same)
        ? race
        : { ...race, [what]: [...(race[what] ?? []), made] },
    ),
  }));
  const record = await recordOf(api, occurrenceId);
  return record?.races?.find((race) => race.id === raceId)?.[what]?.find(same)?.id as string | undefined;
}

interface CreateProps {
  what: What;
  /** Of which it can be. */
  races: Race[];
  /** What the rows have instead: a name, or an id that says nothing. */
  text: string;
  create(raceId: string, made: Row): Promise<unknown>;
}

function Create({ what, races, text, create }: CreateProps) {
  const { rows: texts, eventForm } = useTexts();
  const [title, setTitle] = useState(UUID.test(text) ? '' : text);
  const [chosen, setChosen] = useState<string>();
  const race = races.find(({ id }) => id === chosen) ?? races[0];
  const usual = [race, ...races].flatMap((each) => each?.tickets ?? []).find(({ price }) => price)?.price as
    | Price
    | undefined;
  const [units, setUnits] = useState<number>();
  const making = useMutation({
    mutationFn: async () => {
      const price = usual && { ...usual, value: units === undefined ? usual.value : Math.round(units * 100) };
      const name = title.trim();
      const ticketSlug = slugFrom(race?.title, name);
      await create(race?.id ?? '', what === 'waves' ? { title: name } : { title: name, ticketSlug, price });
    },
  });
  if (!race || (what === 'tickets' && !usual)) return null;
  return (
    <Group
      component="form"
      gap="8px 12px"
      align="end"
      onSubmit={(event) => {
        event.preventDefault();
        making.mutate();
      }}
    >
      <TextInput
        label={what === 'waves' ? texts.newWave(race.title) : texts.newTicket}
        maxLength={255}
        required
        value={title}
        onChange={({ currentTarget }) => setTitle(currentTarget.value)}
      />
      {what === 'tickets' && (
        <>
          {races.length > 1 && (
            <Select
              label={texts.raceOfTicket}
              data={races.map(({ id = '', title: label }) => ({ value: id, label }))}
              value={race.id ?? null}
              onChange={(id) => setChosen(id ?? undefined)}
            />
          )}
          <NumberInput
            label={eventForm.fields.price}
            suffix={usual?.currencyCode === 'ZERO' ? '' : ` ${usual?.currencyCode}`}
            disabled={usual?.currencyCode === 'ZERO'}
            min={0}
            decimalScale={2}
            fixedDecimalScale
            value={units ?? (usual?.value ?? 0) / 100}
            onChange={(value) => setUnits(Number(value))}
          />
        </>
      )}
      <Button type="submit" variant="default" loading={making.isPending} disabled={title.trim() === ''}>
        {what === 'waves' ? texts.createWave : texts.createTicket}
      </Button>
      {making.error && <Problem error={making.error} />}
    </Group>
  );
}
