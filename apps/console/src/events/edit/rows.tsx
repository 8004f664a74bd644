import { ActionIcon, Box, Button, Group, Stack, UnstyledButton } from '@mantine/core';
import { memo, useEffect, useState } from 'react';
import { Badge, Icon } from '../../pieces';
import { useTexts } from '../../texts';
import { Money } from '../money';
import type { Row } from '../write-catalogue';
import { newRow } from './draft';
import { isWithin, rowName, useEditing } from './editing';
import { FormField } from './form-field';
import { FormUse } from './form-use';
import { below, isObject } from './paths';
import { type Field, listsOf, type Shape } from './shapes';

/** The fields of a record or row. */
export function Fields({ fields, row, path }: { fields: Field[]; row: Row; path: string }) {
  return (
    <div className="tiles">
      {fields
        .filter(({ unless }) => !unless?.(row))
        .map((field) => (
          <FormField key={field.path} field={field} row={row} path={path} />
        ))}
    </div>
  );
}

interface RowsProps {
  shape: Shape;
  /** `undefined`: the list is empty. */
  rows: Row[] | undefined;
  path: string;
  /** The place of each row in the list at the path, of which they are a part: their order is not theirs. */
  places?: number[];
  /** What a new row begins with. */
  begin?: Row;
}

type List = Row[] | undefined;

/** A list of rows: each opens for editing, and new ones can be added. */
export function Rows({ shape, rows = [], path, places, begin }: RowsProps) {
  const { eventForm: words } = useTexts();
  const { set } = useEditing();
  const [added, setAdded] = useState<unknown>();
  const list = words.lists[shape.name];
  const isFixed = places !== undefined || shape.unordered === true;
  const add = () => {
    const row = newRow(begin);
    setAdded(row.$new);
    set(path, (now: List = []) => [...now, row]);
  };
  // The list as it is then: rows are rendered again only when they change themselves.
  const change = (to: (now: Row[]) => Row[]) =>
    set(path, (now: List = []) => {
      const next = to(now);
      return next.length > 0 ? next : undefined;
    });
  const move = (index: number, by: number) =>
    change((now) => {
      const next = [...now];
      next.splice(index + by, 0, ...next.splice(index, 1));
      return next;
    });
  return (
    <Stack component="section" className="rows" gap={10} aria-label={list.many}>
      <header>
        <h3>
          {list.many} {rows.length > 0 && <span className="dim">{rows.length}</span>}
        </h3>
      </header>
      {rows.length === 0 && <p className="dim">{list.none}</p>}
      <ol className="plain-list">
        {rows.map((row, index) => (
          <RowEditor
            key={String(row.id ?? row.$new ?? index)}
            shape={shape}
            row={row}
            path={below(path, places?.[index] ?? index)}
            isNew={row.$new !== undefined && row.$new === added}
            first={isFixed || index === 0}
            last={isFixed || index === rows.length - 1}
            onMove={(by) => move(index, by)}
            onRemove={() => change((now) => now.filter((_, other) => other !== (places?.[index] ?? index)))}
          />
        ))}
      </ol>
      {rows.length < shape.most && (
        <Button mr="auto" variant="default" size="xs" onClick={add}>
          {list.add}
        </Button>
      )}
    </Stack>
  );
}

interface RowEditorProps {
  shape: Shape;
  row: Row;
  path: string;
  isNew: boolean;
  first: boolean;
  last: boolean;
  onMove(by: number): void;
  onRemove(): void;
}

const RowEditor = memo(
  function RowEditor({ shape, row, path, isNew, first, last, onMove, onRemove }: RowEditorProps) {
    const { eventForm: words } = useTexts();
    const { wrong, set, opened } = useEditing();
    const title = shape.titleOf(row) || words.lists[shape.name].untitled;
    const name = rowName(shape, title);
    const [open, setOpen] = useState(isNew || opened.has(name));
    const problems = wrong.filter((each) => isWithin(each.path, path)).length;
    // It stays open when they are solved: nothing folds below what is being typed.
    if (problems > 0 && !open) setOpen(true);
    useEffect(() => {
      if (open) opened.add(name);
      else opened.delete(name);
    }, [open, name, opened]);
    const deleted = row.isDeleted === true;
    return (
      <Box
        component="li"
        className="row"
        mb={8}
        bd={`1px solid var(--line${open ? '-strong' : ''})`}
        bdrs={8}
        data-open={open || undefined}
      >
        <Group className="row-head" gap={8} pr={6} wrap="nowrap">
          <Group
            renderRoot={(props) => <UnstyledButton {...props} />}
            className="row-toggle"
            gap="4px 10px"
            flex={1}
            miw={0}
            mih={42}
            p="6px 12px"
            bdrs={8}
            aria-expanded={open}
            onClick={() => setOpen(!open)}
          >
            <Icon name={open ? 'down' : 'right'} />
            <strong>{title}</strong>
            <Facts row={row} />
            {row.$new !== undefined && <Badge>{words.isNew}</Badge>}
            {deleted && <Badge tone="bad">{words.isDeleted}</Badge>}
            {problems > 0 && <Badge tone="bad">{words.problems(problems)}</Badge>}
          </Group>
          <Group gap={6} c="var(--dim)">
            {!(first && last) && (
              <>
                <ActionIcon
                  variant="subtle"
                  aria-label={words.up(title)}
                  disabled={first}
                  onClick={() => onMove(-1)}
                >
                  <Icon name="up" />
                </ActionIcon>
                <ActionIcon
                  variant="subtle"
                  aria-label={words.down(title)}
                  disabled={last}
                  onClick={() => onMove(1)}
                >
                  <Icon name="down" />
                </ActionIcon>
              </>
            )}
            {row.id === undefined && !(shape.stays && row.$new === undefined) && (
              <ActionIcon variant="subtle" aria-label={words.remove(title)} onClick={onRemove}>
                <Icon name="cross" />
              </ActionIcon>
            )}
          </Group>
        </Group>
        {open && (
          <Stack className="row-body" gap={20} p="8px 16px 16px">
            <Fields fields={shape.fields} row={row} path={path} />
            {listsOf(shape, row).map((list) => (
              <Rows
                key={list.path}
                shape={list.shape}
                rows={row[list.path] as Row[] | undefined}
                path={below(path, list.path)}
              />
            ))}
            {shape.name === 'forms' && <FormUse row={row} path={path} />}
            {shape.name === 'tickets' && row.id !== undefined && (
              <div>
                <Button
                  variant="default"
                  size="xs"
                  onClick={() => set(below(path, 'isDeleted'), deleted ? undefined : true)}
                >
                  {deleted ? words.restoreTicket : words.deleteTicket}
                </Button>{' '}
                <span className="dim">{words.deleteTicketHelp}</span>
              </div>
            )}
          </Stack>
        )}
      </Box>
    );
  },
  (before, after) =>
    before.row === after.row &&
    before.path === after.path &&
    before.first === after.first &&
    before.last === after.last &&
    before.isNew === after.isNew,
);

/** What is most asked about a row, beside its title. */
function Facts({ row }: { row: Row }) {
  const { eventForm: words } = useTexts();
  const places = row.maxCapacity ?? row.capacity;
  const { price } = row;
  return (
    <Box component="span" c="dimmed" fz={13}>
      {isObject(price) && typeof price.value === 'number' && <Money price={price as never} />}
      {typeof places === 'number' && ` ${words.placesOf(places)}`}
      {Array.isArray(row.fields) && ` ${words.questionsOf(row.fields.length)}`}
      {typeof row.code === 'string' && ` ${row.code}`}
    </Box>
  );
}
