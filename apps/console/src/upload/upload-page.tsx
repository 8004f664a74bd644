import { Select } from '@mantine/core';
import { IMPORT_TABLE, type ImportPath, openNotices } from '../api';
import { Card, Page } from '../pieces';
import { useTexts } from '../texts';
import { DropFile } from './drop-file';
import { MapColumns } from './map-columns';
import type { ChosenFile } from './read-file';
import { Reading } from './reading';
import { useKept } from './use-kept';

const PATHS = Object.keys(IMPORT_TABLE) as ImportPath[];

/** Turns a table into an import: choose a file, match its columns, send it. */
export function UploadPage() {
  const { upload, imports } = useTexts();
  const [path, setPath] = useKept<ImportPath>('upload of', '/v0/bookings/import');
  const [file, keepFile] = useKept<ChosenFile | undefined>('upload file', undefined);
  const setFile = (given: ChosenFile) => keepFile(() => given);
  return (
    <Page title={imports.upload} up={{ to: '/imports', text: imports.title }}>
      <Card>
        <div className="fields">
          <Select
            label={upload.what}
            data={PATHS.map((value) => ({
              value,
              label: imports.surfaces[IMPORT_TABLE[value].surface] ?? value,
            }))}
            value={path}
            onChange={(value) => value && setPath(() => value as ImportPath)}
          />
        </div>
        <DropFile file={file} onFile={setFile} />
      </Card>
      {file && <Reading file={file} onFile={setFile} />}
      {/* A corrected file keeps what was chosen for its columns. */}
      {file && openNotices(file.sheet).length === 0 && (
        <MapColumns key={path} path={path} sheet={file.sheet} name={file.name} />
      )}
    </Page>
  );
}
