import { Combobox, Modal, TextInput, useCombobox } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { Icon, useFocusBack } from '../pieces';
import { useTexts } from '../texts';
import { useMatches } from './use-matches';

/** Finds anything by a few letters; Enter opens the first match. */
export function Palette({ onClose }: { onClose(): void }) {
  const { palette } = useTexts();
  const [, go] = useLocation();
  const [typed, setTyped] = useState('');
  /** For which text Enter was pressed before there was an answer. */
  const [entered, setEntered] = useState<string>();
  const { groups, isPending, failed } = useMatches(typed);
  useFocusBack();
  const combobox = useCombobox({ opened: true, onDropdownClose: onClose });
  const [first] = groups.flatMap(({ matches }) => matches);
  const open = (to: string) => {
    onClose();
    go(to);
  };
  const isWaited = entered === typed && !isPending && first !== undefined;
  useEffect(() => {
    if (isWaited) open(first.to);
  }, [isWaited]);
  useEffect(() => {
    combobox.selectFirstOption();
  }, [typed, isPending]);
  return (
    <Modal
      opened
      size="lg"
      padding={0}
      yOffset="12vh"
      withCloseButton={false}
      // Mantine would write a `<style>` element, which the content security policy forbids.
      lockScroll={false}
      aria-label={palette.title}
      onClose={onClose}
    >
      <Combobox store={combobox} onOptionSubmit={open}>
        <Combobox.EventsTarget withExpandedAttribute>
          <TextInput
            className="palette-search"
            variant="unstyled"
            size="lg"
            px={8}
            data-autofocus
            aria-label={palette.title}
            placeholder={palette.placeholder}
            autoComplete="off"
            maxLength={100}
            leftSection={<Icon name="search" />}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
            onKeyDown={({ key }) => key === 'Enter' && isPending && setEntered(typed)}
          />
        </Combobox.EventsTarget>
        {failed && (
          <p className="bad" role="alert" style={{ padding: '0 16px 8px' }}>
            {palette.failed}
          </p>
        )}
        <Combobox.Options
          className="palette-list"
          mah="60vh"
          p={8}
          style={{ overflowY: 'auto', borderTop: '1px solid var(--line)' }}
        >
          {groups.map(({ title, matches }) => (
            <Combobox.Group key={title} label={title}>
              {matches.map(({ to, title: name, more }) => (
                <Combobox.Option key={to} value={to}>
                  {name} {more && <span className="dim">{more}</span>}
                </Combobox.Option>
              ))}
            </Combobox.Group>
          ))}
          {groups.length === 0 && !failed && (
            <Combobox.Empty>{isPending ? palette.searching : palette.none}</Combobox.Empty>
          )}
        </Combobox.Options>
      </Combobox>
    </Modal>
  );
}
