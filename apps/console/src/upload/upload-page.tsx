import { Select } from '@mantine/core';
import { useState } from 'react';
import { IMPORT_SHAPES, IMPORT_TABLE } from '../api';
import { Card, Page } from '../pieces/page';
import { useTexts } from '../texts';
import { DropFile } from './drop-file';
import { MapColumns } from './map-columns';
import type { CsvFile } from './read-csv';

export type ImportPath = keyof typeof IMPORT_TABLE;
const PATHS = Object.keys(IMPORT_TABLE) as ImportPath[];

/** Turns a CSV file into an import: choose a file, map its columns, send it. */
export function UploadPage() {
  const { upload, imports, shell } = useTexts();
  const [path, setPath] = useState<ImportPath>('/v0/bookings/import');
  const [file, setFile] = useState<CsvFile>();
  const { surface } = IMPORT_TABLE[path];
  const shape = IMPORT_SHAPES[path];
  return (
    <Page title={upload.title} up={{ to: '/imports', text: shell.imports }}>
      <Card>
        <div className="fields">
          <Select
            label={upload.what}
            allowDeselect={false}
            data={PATHS.map((value) => ({
              value,
              label: imports.surfaces[IMPORT_TABLE[value].surface] ?? value,
            }))}
            value={path}
            onChange={(value) => value && setPath(value as ImportPath)}
          />
        </div>
        <DropFile file={file} onFile={setFile} />
      </Card>
      {file && shape && (
        <MapColumns
          key={`${surface} ${file.name} ${file.columns}`}
          path={path}
          surface={surface}
          shape={shape}
          file={file}
        />
      )}
    </Page>
  );
}
