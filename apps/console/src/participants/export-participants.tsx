import { Button, Menu } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Icon } from '../pieces/icons';
import { Problem } from '../pieces/problem';
import { saveFile } from '../pieces/save-file';
import { useSession } from '../session/session';
import { useTexts } from '../texts';

export const EXPORT_FORMATS = ['csv', 'ndjson'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Longer than the last line of an export. */
const END_BYTES = 64;
const END = { csv: /\r\n#end,\d+\r\n$/, ndjson: /\{"end":true,"rows":\d+\}\n$/ };

/** Saves all participants that match the filters. A file without its last line is incomplete and is not saved. */
export function useExport(filters: object) {
  const { participants } = useTexts();
  const { api } = useSession();
  return useMutation({
    mutationFn: async (format: ExportFormat) => {
      const init = { params: { query: { ...filters, format } }, parseAs: 'blob' };
      const file: unknown = await api.get('/v0/participants/export', init as object);
      const content = file as Blob;
      if (!END[format].test(await content.slice(-END_BYTES).text())) throw new Error(participants.exportCut);
      saveFile(`participants.${format}`, content.type, content);
    },
  });
}

export function ExportMenu({
  exporting,
  disabled,
}: {
  exporting: ReturnType<typeof useExport>;
  disabled: boolean;
}) {
  const { participants } = useTexts();
  return (
    <Menu position="bottom-end" transitionProps={{ duration: 0 }}>
      <Menu.Target>
        <Button
          variant="default"
          rightSection={<Icon name="down" />}
          disabled={disabled}
          loading={exporting.isPending}
          title={disabled ? participants.exportHelp : undefined}
        >
          {participants.export}
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
