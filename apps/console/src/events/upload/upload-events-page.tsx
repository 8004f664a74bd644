import { Button, Group, Select } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { type DecimalSign, type RecordsOfFile, StartlineError } from '../../api';
import { Icon } from '../../pieces/icons';
import { Badge, Card, Page, type Tone } from '../../pieces/page';
import { Problem } from '../../pieces/problem';
import { type Column, Table } from '../../pieces/table';
import { useLeaveWarning } from '../../pieces/use-leave-warning';
import { useSession } from '../../session/session';
import { useTexts } from '../../texts';
import { type ChosenFile, readFile } from '../../upload/read-file';
import { Reading } from '../../upload/reading';
import type { Row } from '../write-catalogue';
import { nameOf, repeatedIn } from './parts';
import { useUpload, type Written } from './use-upload';

const TONES: Record<Written['outcome'], Tone> = { CREATED: 'good', CHANGED: 'busy', UNCHANGED: 'plain' };
const MOST_BYTES = 3_000_000;
const SHOWN = 200;

/** A chosen file: tables are read here too, so that people see how. */
interface Chosen {
  name: string;
  bytes: Uint8Array;
  table?: ChosenFile;
  dateOrder?: 'dmy' | 'mdy';
  decimal?: DecimalSign;
  waveDay?: 'same' | 'next';
}

const base64 = (bytes: Uint8Array): string => {
  let text = '';
  for (let at = 0; at < bytes.length; at += 8_192)
    text += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  return btoa(text);
};

/** What the reader says of a file, without the options of the command line: this page asks for them itself. */
function withoutOptions(error: unknown): unknown {
  if (!(error instanceof StartlineError)) return error;
  const { status, code, message, requestId, retryAfter } = error;
  const problems = error.problems.map((problem) => ({
    ...problem,
    message: problem.message.replace(/^content /, '').replace(/ Use --\S+( \S+)?( or --\S+ \S+)?\.?/g, ''),
  }));
  return new StartlineError(status, code, message, requestId, retryAfter, problems);
}

const isTable = (name: string) => /\.(?:csv|tsv|txt|xlsx)(?:\.gz)?$/i.test(name);

/** A catalogue file or race calendar: what it creates, changes and leaves is shown before it is written. */
export function UploadEventsPage() {
  const { uploadEvents: words, shell } = useTexts();
  const { api } = useSession();
  const input = useRef<HTMLInputElement>(null);
  const [chosen, setChosen] = useState<Chosen>();
  const read = useMutation({
    mutationFn: async ({ name, bytes, table, dateOrder, decimal, waveDay }: Chosen) => {
      if (bytes.length > MOST_BYTES) throw new Error(words.tooLarge);
      const sheet = table?.options.sheet?.toString();
      try {
        return await api.post('/console/v1/catalogue/files', {
          body: { name, content: base64(bytes), ...table?.options, sheet, dateOrder, decimal, waveDay },
        });
      } catch (error) {
        throw withoutOptions(error);
      }
    },
  });
  const take = (next: Chosen) => {
    setChosen(next);
    read.mutate(next);
  };
  const choose = async (file: File) => {
    const given = { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) };
    // What cannot be read here, the server says.
    const table = isTable(file.name) ? await readFile(given).catch(() => undefined) : undefined;
    take({ ...given, table });
  };
  const found = read.data;
  return (
    <Page title={words.title} up={{ to: '/events', text: shell.events }}>
      <div className="drop" data-small={found ? true : undefined}>
        <input
          ref={input}
          hidden
          type="file"
          accept=".csv,.tsv,.txt,.xlsx,.json,.jsonl,.ndjson,.gz"
          onChange={({ target }) => {
            if (target.files?.[0]) void choose(target.files[0]);
            target.value = '';
          }}
        />
        <Icon name="file" />
        <p role="status">
          {found && chosen ? words.read(chosen.name, found.records.length) : <strong>{words.choose}</strong>}
        </p>
        {!found && <p className="dim">{words.chooseHelp}</p>}
        <Button variant="default" loading={read.isPending} onClick={() => input.current?.click()}>
          {found ? words.another : words.chooseFile}
        </Button>
      </div>
      {!found && (
        <Card title={words.files}>
          <ul>
            {words.accepted.map((each) => (
              <li key={each}>{each}</li>
            ))}
          </ul>
        </Card>
      )}
      {chosen?.table && (
        <>
          <Reading file={chosen.table} onFile={(table) => take({ ...chosen, table })} />
          <OpenChoices
            chosen={chosen}
            asksWaves={
              chosen.waveDay !== undefined || found?.problems.some(({ code }) => code === 'WAVE_BEFORE_RACE')
            }
            onChange={take}
          />
        </>
      )}
      {read.error && <Problem error={read.error} title={words.unreadable} />}
      {found && <Findings found={found} />}
      {found && found.records.length > 0 && <Load key={read.submittedAt} records={found.records as Row[]} />}
    </Page>
  );
}

/** What the values of a table leave open. */
function OpenChoices({
  chosen,
  asksWaves,
  onChange,
}: {
  chosen: Chosen;
  asksWaves: boolean | undefined;
  onChange(chosen: Chosen): void;
}) {
  const { upload, uploadEvents: words } = useTexts();
  const shared = { clearable: true, placeholder: words.recognised, size: 'sm' } as const;
  return (
    <Card title={upload.choices.title}>
      <div className="tiles">
        <Select
          {...shared}
          label={upload.choices.dates}
          data={[
            { value: 'dmy', label: upload.choices.dmy },
            { value: 'mdy', label: upload.choices.mdy },
          ]}
          value={chosen.dateOrder ?? null}
          onChange={(value) =>
            onChange({ ...chosen, dateOrder: (value ?? undefined) as Chosen['dateOrder'] })
          }
        />
        <Select
          {...shared}
          label={upload.choices.amounts}
          data={[
            { value: '.', label: '1,045.00' },
            { value: ',', label: '1.045,00' },
          ]}
          value={chosen.decimal ?? null}
          onChange={(value) => onChange({ ...chosen, decimal: (value ?? undefined) as DecimalSign })}
        />
        {asksWaves && (
          <Select
            {...shared}
            placeholder={undefined}
            label={words.waveDay}
            data={Object.entries(words.waveDays).map(([value, label]) => ({ value, label }))}
            value={chosen.waveDay ?? null}
            onChange={(value) => onChange({ ...chosen, waveDay: (value ?? undefined) as Chosen['waveDay'] })}
          />
        )}
      </div>
    </Card>
  );
}

/** What the records create, change and leave, and the button that writes them. */
function Load({ records }: { records: Row[] }) {
  const { uploadEvents: words } = useTexts();
  const [, navigate] = useLocation();
  const { written, trial, load, again } = useUpload(records);
  const { mutate: start } = trial;
  const repeated = repeatedIn(records);
  const isRefused = repeated.length > 0;
  useEffect(() => {
    if (!isRefused) start();
  }, [isRefused, start]);
  const isDone = written.length === records.length;
  const isHalf = written.length > 0 && !isDone;
  useLeaveWarning(isHalf);
  const tried = trial.data ?? [];
  // While parts are written, their outcomes take the place of those of the trial.
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
      {written.length > 0 && <Outcomes title={words.written} of={written} />}
      {!isDone && left.length > 0 && <Outcomes title={words.preview} of={left} />}
      {trial.isPending && <p role="status">{words.trying}</p>}
      {trial.error && <Problem error={trial.error} title={words.notLoaded} retry={again} />}
      {load.error && <Problem error={load.error} title={words.notLoaded} />}
      {isHalf && (
        <p className="notice" role="status">
          {words.partly(written.length, records.length)}
        </p>
      )}
      <Group gap="8px 16px">
        {isDone ? (
          <Button onClick={() => navigate('/events')}>{words.toEvents}</Button>
        ) : load.error ? (
          <Button onClick={again}>{words.goOn}</Button>
        ) : (
          <Button
            loading={load.isPending}
            disabled={!trial.isSuccess || tried.every(({ outcome }) => outcome === 'UNCHANGED')}
            onClick={() => load.mutate()}
          >
            {written.length > 0 ? words.loadRest : words.load}
          </Button>
        )}
      </Group>
    </>
  );
}

function Outcomes({ title, of }: { title: string; of: Written[] }) {
  const { uploadEvents: words } = useTexts();
  const count = (outcome: Written['outcome']) => of.filter((each) => each.outcome === outcome).length;
  const columns: Column<Written>[] = [
    { key: 'name', title: words.record, main: true, cell: (each) => <strong>{each.name}</strong> },
    { key: 'kind', title: words.kind, cell: ({ record }) => words.kinds[record] },
    {
      key: 'outcome',
      title: words.outcome,
      cell: ({ outcome }) => <Badge tone={TONES[outcome]}>{words.outcomes[outcome]}</Badge>,
    },
    {
      key: 'changes',
      title: words.changes,
      width: 'wide',
      cell: ({ changes, changeCount }) => (
        <ul className="details">
          {changes.slice(0, 5).map(({ path, before, after }) => (
            <li key={path}>
              {path}: {before ?? '–'} → {after ?? '–'}
            </li>
          ))}
          {changeCount > 5 && <li className="dim">{words.more(changeCount - 5)}</li>}
        </ul>
      ),
    },
  ];
  return (
    <Card title={title}>
      <p role="status">{words.counts(count('CREATED'), count('CHANGED'), count('UNCHANGED'))}</p>
      <Table
        caption={title}
        columns={columns}
        rows={of.slice(0, SHOWN)}
        keyOf={({ record, name }) => `${record} ${name}`}
      />
      {of.length > SHOWN && <p className="dim">{words.more(of.length - SHOWN)}</p>}
    </Card>
  );
}

function Findings({ found: { problems, problemCount, warnings } }: { found: RecordsOfFile }) {
  const { uploadEvents: words, problems: usual } = useTexts();
  const list = (items: RecordsOfFile['problems']) => (
    <ul>
      {items.map(({ row, field, message }) => (
        <li key={`${row} ${field} ${message}`}>
          {usual.row(row)}: {field} {message.replace(/ \(--.*\)$/, '')}
        </li>
      ))}
    </ul>
  );
  return (
    <>
      {problemCount > 0 && (
        <Card title={words.problems(problemCount)}>
          <p className="dim">{words.problemsHelp}</p>
          {list(problems)}
        </Card>
      )}
      {warnings.length > 0 && <Card title={words.warnings}>{list(warnings)}</Card>}
    </>
  );
}
