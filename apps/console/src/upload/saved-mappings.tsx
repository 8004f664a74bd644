import { Button, Group, Select, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { BrowserClient, FileMapping, FileMappingItem, IMPORT_TABLE, ImportPath } from '../api';
import { Card, Problem, saveFile } from '../pieces';
import { useChange, useSession } from '../session';
import { useTexts } from '../texts';

type Surface = (typeof IMPORT_TABLE)[ImportPath]['surface'];

const PATH = '/console/v1/file-mappings';

/** A mapping that staff saved. */
export interface SavedMapping {
  id: string;
  name: string;
  mapping: FileMapping;
}

async function fingerprintOf(columns: readonly string[]): Promise<string> {
  const bytes = new TextEncoder().encode([...columns].sort().join('\n'));
  const hash = await crypto.subtle.digest('SHA-256', bytes);
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

const read = async (api: BrowserClient, id: string): Promise<SavedMapping> => {
  const saved = await api.get(`${PATH}/{id}`, { params: { path: { id } } });
  return { id, name: saved.name, mapping: saved.mapping as unknown as FileMapping };
};

/** The mappings of an import, and the one that was saved last for files with the same columns. */
export function useSavedMappings(surface: Surface, columns: string[]) {
  const { api, organizationId, opens } = useSession();
  const { data } = useQuery({
    queryKey: [organizationId, 'file-mappings', surface, columns],
    queryFn: async () => {
      const { data: list } = await api.get(PATH, {
        params: { query: { surface, 'page[size]': 500 } },
      });
      const fingerprint = await fingerprintOf(columns);
      const [same] = list
        .filter((each) => each.fingerprint === fingerprint)
        .sort((a, b) => b.savedAt.localeCompare(a.savedAt));
      return { list, same: same && (await read(api, same.id)) };
    },
    enabled: opens('/imports/new'),
  });
  return data;
}

/** Saves the mapping for the staff. How dates and amounts are written is asked for each file. */
function useSaveMapping(surface: Surface) {
  const { api } = useSession();
  return useChange(
    ({ name, mapping }: { name: string; mapping: FileMapping }) => {
      const { columns, values, matches } = mapping;
      return api.post(PATH, { body: { surface, name, mapping: { columns, values, matches } as never } });
    },
    ['file-mappings'],
  );
}

interface SavedMappingsProps {
  surface: Surface;
  list: FileMappingItem[];
  used: SavedMapping | undefined;
  mapping: FileMapping;
  onUse(saved: SavedMapping | null): void;
}

/** Mappings that staff share: one is used, saved by name, deleted, or downloaded for `import send --map`. */
export function SavedMappings({ surface, list, used, mapping, onUse }: SavedMappingsProps) {
  const { mappings } = useTexts().upload;
  const { api, organizationId } = useSession();
  const queries = useQueryClient();
  const [name, setName] = useState<string>();
  const save = useSaveMapping(surface);
  const use = useMutation({ mutationFn: (id: string) => read(api, id), onSuccess: onUse });
  const remove = useMutation({
    mutationFn: (id: string) => api.delete(`${PATH}/{id}`, { params: { path: { id } } }),
    onSuccess: () => {
      onUse(null);
      return queries.invalidateQueries({ queryKey: [organizationId, 'file-mappings'] });
    },
  });
  const shown = name ?? used?.name ?? '';
  const error = save.error ?? use.error ?? remove.error;
  const { columns, values, matches } = mapping;
  const file = () => `${JSON.stringify({ columns, values, matches }, null, 2)}\n`;
  return (
    <Card title={mappings.title}>
      <p className="dim">{mappings.help}</p>
      {error && <Problem error={error} />}
      <div className="tiles">
        {list.length > 0 && (
          <Select
            label={mappings.use}
            placeholder={mappings.none}
            clearable
            data={list.map(({ id, name: label }) => ({ value: id, label }))}
            value={used?.id ?? null}
            onChange={(id) => {
              setName(undefined);
              if (id) use.mutate(id);
              else onUse(null);
            }}
          />
        )}
        <TextInput
          label={mappings.name}
          maxLength={100}
          value={shown}
          onChange={({ currentTarget }) => {
            save.reset();
            setName(currentTarget.value);
          }}
        />
      </div>
      <Group gap="8px 16px">
        <Button
          variant="default"
          disabled={!shown.trim()}
          loading={save.isPending}
          onClick={() => save.mutate({ name: shown, mapping })}
        >
          {save.isSuccess ? mappings.saved : mappings.save}
        </Button>
        {used && (
          <Button variant="subtle" loading={remove.isPending} onClick={() => remove.mutate(used.id)}>
            {mappings.delete}
          </Button>
        )}
        <Button
          variant="subtle"
          onClick={() => saveFile(`${shown.trim() || surface}.map.json`, 'application/json', file())}
        >
          {mappings.download}
        </Button>
      </Group>
    </Card>
  );
}
