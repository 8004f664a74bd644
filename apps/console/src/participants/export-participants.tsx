import { Button, Menu } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { asking, questionsOf, UnreadableSheet } from '../api';
import { Explained, Icon, Problem, saveFile } from '../pieces';
import { useSession } from '../session';
import { useTexts } from '../texts';
import { readFile } from '../upload/read-file';
import { csvOf, peopleTable, xlsxOf } from './people-table';
import { useWords } from './use-words';

/** `xlsx` and `local`, a CSV in the reader's language, are for people; the others are those of the API. */
const EXPORT_FORMATS = ['xlsx', 'local', 'csv', 'ndjson'] as const;
type ExportFormat = (typeof EXPORT_FORMATS)[number];

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
/** Longer than the last line of an export. */
const END_BYTES = 64;
const END = { csv: /\r\n#end,\d+\r\n$/, ndjson: /\{"end":true,"rows":\d+\}\n$/ };

/** Saves the participants with the ids, or all that match the filters. A file without its last line is incomplete and is not saved. */
export function useExport(
  filters: { status?: string; eventOccurrenceId?: string },
  participantIds?: string[],
) {
  const texts = useTexts();
  const { participants } = texts;
  const { api } = useSession();
  return useMutation({
    mutationFn: async (chosen: ExportFormat) => {
      const isForPeople = chosen === 'xlsx' || chosen === 'local';
      const format = isForPeople ? 'csv' : chosen;
      const file: unknown = await (participantIds
        ? api.post('/console/v1/participants/export', {
            body: { participantIds, format },
            parseAs: 'blob',
          } as never)
        : api.get('/v0/participants/export', {
            params: { query: { ...filters, format } },
            parseAs: 'blob',
          } as object));
      const content = file as Blob;
      if (!END[format].test(await content.slice(-END_BYTES).text()))
        throw new Explained(participants.exportCut);
      if (!isForPeople) return saveFile(`participants.${format}`, content.type, content);
      const bytes = new Uint8Array(await content.arrayBuffer());
      const { sheet } = await readFile({ name: 'participants.csv', bytes }).catch((error) => {
        throw error instanceof UnreadableSheet ? new Explained(participants.exportTooLarge) : error;
      });
      const withCancelled = participantIds !== undefined || filters.status !== undefined;
      const table = peopleTable(sheet, await questionsOf(asking(api)), { withCancelled, texts });
      if (chosen === 'local') return saveFile('participants.csv', 'text/csv', csvOf(table, texts.locale));
      saveFile('participants.xlsx', XLSX, new Blob([(await xlsxOf(table, participants.title)) as BlobPart]));
    },
  });
}

export function ExportMenu({
  exporting,
  disabled,
  count = 0,
}: {
  exporting: ReturnType<typeof useExport>;
  disabled: boolean;
  /** How many are selected by hand. */
  count?: number;
}) {
  const participants = useWords();
  return (
    <Menu>
      <Menu.Target>
        <Button
          variant="default"
          rightSection={<Icon name="down" />}
          disabled={disabled}
          loading={exporting.isPending}
          title={disabled ? participants.exportHelp : undefined}
        >
          {count > 0 ? participants.exportSelected(count) : participants.export}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {EXPORT_FORMATS.map((format) => (
          <Menu.Item key={format} onClick={() => exporting.mutate(format)}>
            {participants.exportFormats[format]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

export const ExportProblem = ({ exporting: { error } }: { exporting: ReturnType<typeof useExport> }) =>
  error && <Problem error={error} />;
