import { Button, Group } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { type FileMapping, openNotices, type RecordsOfFile } from '../../api';
import { Card, Explained, Page, Problem, useLeaveWarning } from '../../pieces';
import { useSession } from '../../session';
import { useTexts } from '../../texts';
import { Drop } from '../../upload/drop-file';
import { type ChosenFile, readFile } from '../../upload/read-file';
import { Reading } from '../../upload/reading';
import { changeOccurrence, type Row } from '../write-catalogue';
import { CalendarCards, type Said } from './calendar-cards';
import { Changes } from './changes';
import { nameOf, repeatedIn } from './parts';
import { useUpload, type Written } from './use-upload';

const MOST_BYTES = 3_000_000;
const SHOWN = 200;

/** A chosen file: tables are read here too, so that people see how. */
interface Chosen {
  name: string;
  bytes: Uint8Array;
  table?: ChosenFile;
  said: Said;
}

const NOTHING_SAID: Said = { mapping: { columns: {} }, corrections: [] };

const base64 = (bytes: Uint8Array): string => {
  let text = '';
  for (let at = 0; at < bytes.length; at += 8_192)
    text += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  return btoa(text);
};

/** What was said about columns that the file has now: another line can have their names. */
function ofColumns(mapping: FileMapping, columns: readonly string[]): FileMapping {
  const own = <T,>(byColumn: Record<string, T> = {}) =>
    Object.fromEntries(Object.entries(byColumn).filter(([column]) => columns.includes(column)));
  const { accepted } = mapping;
  return {
    ...{ ...mapping, columns: own(mapping.columns), readings: own(mapping.readings) },
    accepted: accepted === true ? accepted : own(accepted),
  };
}

const isTable = (name: string) => /\.(?:csv|tsv|txt|xlsx)(?:\.gz)?$/i.test(name);

/** A catalogue file or race calendar: what it creates, changes and leaves is shown before it is written. */
export function UploadEventsPage() {
  const { uploadEvents: words, events } = useTexts();
  const { api } = useSession();
  const [chosen, setChosen] = useState<Chosen>();
  const read = useMutation({
    mutationFn: ({ name, bytes, table, said: { mapping, ...said } }: Chosen) => {
      if (bytes.length > MOST_BYTES) throw new Explained(words.tooLarge);
      const sheet = table?.options.sheet?.toString();
      const ofTable = table && { ...table.options, sheet, ...said, mapping: mapping as never };
      return api.post('/console/v1/catalogue/files', { body: { name, content: base64(bytes), ...ofTable } });
    },
  });
  const take = (next: Chosen) => {
    setChosen(next);
    // What the table as a whole leaves open is asked first.
    if (!next.table || openNotices(next.table.sheet).length === 0) read.mutate(next);
  };
  const choose = async (file: File) => {
    const given = { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) };
    // What cannot be read here, the server says.
    const table = isTable(file.name) ? await readFile(given).catch(() => undefined) : undefined;
    take({ ...given, table, said: NOTHING_SAID });
  };
  // While a table is read with what was said about it, what was found before stays: it has the focus.
  const [last, setLast] = useState<{ found: RecordsOfFile; of: Chosen }>();
  if (read.data && read.data !== last?.found) setLast({ found: read.data, of: read.variables });
  const isOf = last?.of.bytes === chosen?.bytes && last?.of.table === chosen?.table;
  const found = isOf ? last?.found : undefined;
  return (
    <Page title={words.title} up={{ to: '/events', text: events.title }}>
      <Drop
        accept=".csv,.tsv,.txt,.xlsx,.json,.jsonl,.ndjson,.gz"
        read={
          found &&
          chosen &&
          (found.records.length > 0 ? words.read(chosen.name, found.records.length) : chosen.name)
        }
        title={words.choose}
        help={words.chooseHelp}
        action={found ? words.another : words.chooseFile}
        pending={read.isPending}
        onFile={(file) => void choose(file)}
      />
      {!chosen && (
        <Card title={words.files}>
          <ul>
            {words.accepted.map((each) => (
              <li key={each}>{each}</li>
            ))}
          </ul>
        </Card>
      )}
      {chosen?.table && (
        <Reading
          file={chosen.table}
          onFile={(table) => {
            const mapping = ofColumns(chosen.said.mapping, table.sheet.columns);
            take({ ...chosen, table, said: { ...chosen.said, mapping, corrections: [] } });
          }}
        />
      )}
      {read.error && <Problem error={read.error} title={words.unreadable} />}
      {chosen?.table && found?.calendar && (
        <CalendarCards
          sheet={chosen.table.sheet}
          found={found}
          said={chosen.said}
          onChange={(said) => take({ ...chosen, said })}
        />
      )}
      {found && <Findings found={found} />}
      {found && found === read.data && found.records.length > 0 && (
        <Load key={read.submittedAt} records={found.records as Row[]} columns={found.filled ?? undefined} />
      )}
    </Page>
  );
}

/** What the records create, change and leave, and the button that writes them. */
function Load({ records, columns }: { records: Row[]; columns: string[] | undefined }) {
  const { uploadEvents: words } = useTexts();
  const [, navigate] = useLocation();
  const { written, dryRun, load, again } = useUpload(records, columns);
  const { mutate: start } = dryRun;
  const repeated = repeatedIn(records);
  const isRefused = repeated.length > 0;
  useEffect(() => {
    if (!isRefused) start();
  }, [isRefused, start]);
  const isDone = written.length === records.length;
  const isHalf = written.length > 0 && !isDone;
  useLeaveWarning(isHalf);
  const tried = dryRun.data ?? [];
  // While parts are written, their outcomes take the place of those of the dry run.
  const left = tried.slice(tried.length - records.length + written.length);
  if (isRefused) {
    return (
      <Card title={words.repeated}>
        <ul>
          {repeated.slice(0, SHOWN).map((place) => (
            <li key={place}>{nameOf(records[place] as Row)}</li>
          ))}
        </ul>
      </Card>
    );
  }
  return (
    <>
      {written.length > 0 && <Changes title={words.written} of={written} />}
      {!isDone && left.length > 0 && <Changes title={words.preview} of={left} />}
      {dryRun.isPending && <p role="status">{words.trying}</p>}
      {dryRun.error && <Problem error={dryRun.error} title={words.notLoaded} retry={again} />}
      {load.error && <Problem error={load.error} title={words.notLoaded} />}
      {isHalf && (
        <p className="notice" role="status">
          {words.partly(written.length, records.length)}
        </p>
      )}
      {isDone && <Publish written={written} />}
      <Group gap="8px 16px">
        {isDone ? (
          <Button variant="default" onClick={() => navigate('/events')}>
            {words.toEvents}
          </Button>
        ) : load.error ? (
          <Button onClick={again}>{words.goOn}</Button>
        ) : (
          <Button
            loading={load.isPending}
            disabled={!dryRun.isSuccess || tried.every(({ outcome }) => outcome === 'UNCHANGED')}
            onClick={() => load.mutate()}
          >
            {written.length > 0 ? words.loadRest : words.load}
          </Button>
        )}
      </Group>
    </>
  );
}

/** The drafts that were made, and the button that publishes them. */
function Publish({ written }: { written: Written[] }) {
  const { uploadEvents: words } = useTexts();
  const { api, organizationId } = useSession();
  const queries = useQueryClient();
  const drafts = written.flatMap(({ id, changes }) =>
    id && changes.some(({ path, before, after }) => path === 'published' && !before && after === 'false')
      ? [id]
      : [],
  );
  const publish = useMutation({
    mutationFn: async () => {
      for (const id of drafts)
        await changeOccurrence(api, id, (occurrence) => ({ ...occurrence, published: true }));
    },
    onSettled: () => queries.invalidateQueries({ queryKey: [organizationId] }),
  });
  if (drafts.length === 0) return null;
  return (
    <Card>
      <p role="status">{publish.isSuccess ? words.published(drafts.length) : words.drafts(drafts.length)}</p>
      {publish.error && <Problem error={publish.error} />}
      {!publish.isSuccess && (
        <Button loading={publish.isPending} onClick={() => publish.mutate()}>
          {words.publish(drafts.length)}
        </Button>
      )}
    </Card>
  );
}

function Findings({ found: { calendar, problems, problemCount, warnings } }: { found: RecordsOfFile }) {
  const { uploadEvents: words, problems: usual } = useTexts();
  const list = (items: RecordsOfFile['problems']) => (
    <ul>
      {items.map(({ row, field, message }) => (
        <li key={`${row} ${field} ${message}`}>
          {usual.row(row)}: {field} {message}
        </li>
      ))}
    </ul>
  );
  return (
    <>
      {!calendar && problemCount > 0 && (
        <Card title={words.problems(problemCount)}>
          <p className="dim">{words.problemsHelp}</p>
          {list(problems)}
        </Card>
      )}
      {warnings.length > 0 && <Card title={words.warnings}>{list(warnings)}</Card>}
    </>
  );
}
