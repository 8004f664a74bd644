import { useMemo } from 'react';
import {
  completed,
  type FileMapping,
  IMPORT_TABLE,
  type ImportKind,
  type ImportPath,
  kindOfImport,
  namesIn,
  planOf,
  type Sheet,
  type SheetField,
} from '../api';
import { Card } from '../pieces';
import { useSession } from '../session';
import { useTexts } from '../texts';
import { Choices } from './choices';
import { ColumnTable } from './column-table';
import { Conversions } from './conversions';
import { FixedValues } from './fixed-values';
import { MatchValues } from './match-values';
import { type SavedMapping, SavedMappings, useSavedMappings } from './saved-mappings';
import { SendRows } from './send-rows';
import { today } from './today';
import { useKept } from './use-kept';
import { useKind, useLookups } from './use-known';
import { useTickets } from './use-occurrences';

/** Further participants of a row that are offered before a column of them is chosen. */
const FURTHER = 2;

const PERSON = /^participants\[(\d+)\]\./;

/** The fields of an import; of bookings with those of further participants, and each column as further data. */
function fieldsFor(
  { fields, collection }: ImportKind,
  columns: string[],
  chosen: (string | null)[],
): SheetField[] {
  if (collection !== 'bookings') return [...fields];
  const persons = chosen.map((path) => Number(PERSON.exec(path ?? '')?.[1] ?? 0));
  const most = Math.max(FURTHER, ...persons.map((person) => person + 1));
  const further = Array.from({ length: most - 1 }, (_, i) => i + 1).flatMap((person) =>
    fields
      .filter(({ path }) => PERSON.test(path))
      .map((field) => ({ ...field, path: field.path.replace('[0]', `[${person}]`), required: false })),
  );
  const free = columns
    .filter((column) => /^[^.:]+$/.test(column))
    .map((column) => ({ path: `metadata.${column}`, type: 'string', required: false }));
  return [...fields, ...further, ...free];
}

interface MapColumnsProps {
  path: ImportPath;
  sheet: Sheet;
  /** Of the file. */
  name: string;
  /** What is decided before a person changes it. */
  given?: FileMapping;
}

export function MapColumns({ path, sheet, name: file, given: decided }: MapColumnsProps) {
  const { upload } = useTexts();
  const { opens } = useSession();
  const { surface } = IMPORT_TABLE[path];
  const kind = useKind(useMemo(() => kindOfImport(path), [path]));
  const { columns } = sheet;
  const saved = useSavedMappings(surface, columns);
  /** The mapping that a person chose; `null` for none. By default, that of files with the same columns. */
  const [chosen, setChosen] = useKept<SavedMapping | null | undefined>(`upload mapping ${path}`, undefined);
  const used = chosen === undefined ? saved?.same : (chosen ?? undefined);
  /** What the person changed, which stays when another file is chosen, and when the person leaves the page and comes back. */
  const [changed, setChanged] = useKept<FileMapping>(`upload changes ${path}`, { columns: {} });
  const mapping = useMemo(() => {
    const given = decided ?? used?.mapping;
    const names = [...new Set([given, changed].flatMap((each) => Object.keys(each?.matches ?? {})))];
    return completed(sheet, kind, {
      ...given,
      ...changed,
      columns: { ...given?.columns, ...changed.columns },
      values: { ...given?.values, ...changed.values },
      matches: Object.fromEntries(
        names.map((name) => [name, { ...given?.matches?.[name], ...changed.matches?.[name] }]),
      ),
    });
  }, [sheet, kind, changed, used, decided]);
  const fixed = mapping.values ?? {};
  const lookups = useLookups(sheet, kind, mapping);
  const { tickets } = useTickets(fixed.eventOccurrenceId);
  const plan = useMemo(
    () => planOf(sheet, kind, mapping, { lookups, today: today() }),
    [sheet, kind, mapping, lookups],
  );
  const fields = useMemo(
    () => fieldsFor(kind, columns, Object.values(mapping.columns)),
    [kind, columns, mapping.columns],
  );
  const taken = new Set(Object.values(mapping.columns).filter((field) => field !== null));
  const change = (given: Partial<FileMapping>) => setChanged((before) => ({ ...before, ...given }));
  return (
    <>
      <Card title={upload.mapping}>
        <p className="dim">{upload.mappingHelp}</p>
        <ColumnTable
          sheet={sheet}
          fields={fields}
          chosen={mapping.columns}
          onChange={(column, field) => change({ columns: { ...changed.columns, [column]: field } })}
        />
      </Card>
      <FixedValues
        fields={kind.fields}
        taken={taken}
        fixed={fixed}
        occurrence={
          needsOccurrence(kind, mapping)
            ? { value: mapping.occurrence ?? null, onChange: (occurrence) => change({ occurrence }) }
            : undefined
        }
        tickets={tickets}
        currencies={plan.questions.flatMap((each) => (each.kind === 'currency' ? [each.path] : []))}
        onChange={(field, value) => change({ values: { ...changed.values, [field]: value ?? '' } })}
      />
      <Choices plan={plan} mapping={mapping} onChange={change} />
      <MatchValues
        kind={kind}
        plan={plan}
        matches={mapping.matches ?? {}}
        onChange={(name, key, id) =>
          change({ matches: { ...changed.matches, [name]: { ...changed.matches?.[name], [key]: id } } })
        }
      />
      {opens('/imports/new') && (
        <SavedMappings
          // The name is that of the mapping in use.
          key={used?.id}
          surface={surface}
          list={saved?.list ?? []}
          used={used}
          mapping={mapping}
          onUse={(saved) => setChosen(() => saved)}
        />
      )}
      <Conversions plan={plan} />
      <SendRows name={file} path={path} collection={kind.collection} sheet={sheet} plan={plan} />
    </>
  );
}

/** Whether the file names records of an occurrence, and has no field for the occurrence. */
const needsOccurrence = (kind: ImportKind, mapping: FileMapping): boolean =>
  !kind.fields.some(({ path }) => path === 'eventOccurrenceId') &&
  namesIn(kind, mapping).some((name) =>
    /^(ticketId|ticketSlug|waveId|addOnId|variantId|reservedEntryGroupId)$/.test(name),
  );
