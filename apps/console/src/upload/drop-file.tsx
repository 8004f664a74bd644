import { Button, Flex } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type DragEvent, type ReactNode, useRef, useState } from 'react';
import { UnreadableSheet } from '../api';
import { Icon } from '../pieces';
import { useTexts } from '../texts';
import { type ChosenFile, readFile } from './read-file';

interface DropProps {
  accept: string;
  /** What was read, if anything was. */
  read: string | undefined;
  /** What to do before. */
  title: string;
  help: string;
  action: string;
  pending: boolean;
  onFile(file: File): void;
  children?: ReactNode;
}

/** Where a file goes: dropped there, or chosen with the button. */
export function Drop({ accept, read, title, help, action, pending, onFile, children }: DropProps) {
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const take = (files: FileList | null) => files?.[0] && onFile(files[0]);
  return (
    <Flex
      direction={read ? 'row' : 'column'}
      wrap="wrap"
      align="center"
      gap={8}
      p={read ? '12px 16px' : '36px 16px'}
      ta={read ? undefined : 'center'}
      bd={read ? '1px solid var(--line)' : '1.5px dashed var(--line-strong)'}
      bdrs={10}
      bg={over ? 'var(--accent-soft)' : undefined}
      onDragOver={(event: DragEvent) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event: DragEvent) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer.files);
      }}
    >
      <input
        ref={input}
        hidden
        type="file"
        accept={accept}
        onChange={({ target }) => {
          take(target.files);
          target.value = '';
        }}
      />
      <Icon name="file" />
      <p role="status">{read ?? <strong>{title}</strong>}</p>
      {!read && <p className="dim">{help}</p>}
      <Button variant="default" ml={read && 'auto'} loading={pending} onClick={() => input.current?.click()}>
        {action}
      </Button>
      {children}
    </Flex>
  );
}

interface DropFileProps {
  file: ChosenFile | undefined;
  onFile(file: ChosenFile): void;
}

export function DropFile({ file, onFile }: DropFileProps) {
  const { upload } = useTexts();
  const read = useMutation({
    mutationFn: async (given: File) =>
      readFile({ name: given.name, bytes: new Uint8Array(await given.arrayBuffer()) }),
    onSuccess: onFile,
  });
  return (
    <Drop
      accept=".csv,.txt,.tsv,.xlsx,.gz,text/csv"
      read={file && upload.file(file.name, file.sheet.rows.length, file.sheet.columns.length)}
      title={upload.drop}
      help={upload.dropHelp}
      action={file ? upload.another : upload.choose}
      pending={read.isPending}
      onFile={read.mutate}
    >
      {read.error && <Unreadable error={read.error} />}
    </Drop>
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
