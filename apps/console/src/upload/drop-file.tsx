import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type DragEvent, useRef, useState } from 'react';
import { UnreadableSheet } from '../api';
import { Icon } from '../pieces/icons';
import { useTexts } from '../texts';
import { type ChosenFile, readFile } from './read-file';

interface DropFileProps {
  file: ChosenFile | undefined;
  onFile(file: ChosenFile): void;
}

export function DropFile({ file, onFile }: DropFileProps) {
  const { upload } = useTexts();
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const read = useMutation({
    mutationFn: async (given: File) =>
      readFile({ name: given.name, bytes: new Uint8Array(await given.arrayBuffer()) }),
    onSuccess: onFile,
  });
  const take = (files: FileList | null | undefined) => files?.[0] && read.mutate(files[0]);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside has the same function for keyboards
    <div
      className="drop"
      data-over={over || undefined}
      data-small={file ? true : undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <input
        ref={input}
        hidden
        type="file"
        accept=".csv,.txt,.tsv,.xlsx,.gz,text/csv"
        onChange={({ target }) => {
          take(target.files);
          target.value = '';
        }}
      />
      <Icon name="file" />
      <p role="status">
        {file ? (
          upload.file(file.name, file.sheet.rows.length, file.sheet.columns.length)
        ) : (
          <strong>{upload.drop}</strong>
        )}
      </p>
      {!file && <p className="dim">{upload.dropHelp}</p>}
      <Button variant="default" size="sm" loading={read.isPending} onClick={() => input.current?.click()}>
        {file ? upload.another : upload.choose}
      </Button>
      {read.error && <Unreadable error={read.error} />}
    </div>
  );
}

export function Unreadable({ error }: { error: Error }) {
  const { upload } = useTexts();
  // The message names the format, and what to do with it.
  const isFormat = error instanceof UnreadableSheet && error.code === 'FORMAT';
  const why = error instanceof UnreadableSheet ? upload.unreadable[error.code] : upload.unreadable.FORMAT;
  return (
    <p className="bad" role="alert">
      {upload.notCsv}. {isFormat ? <span lang="en">{error.message}</span> : why}
    </p>
  );
}
