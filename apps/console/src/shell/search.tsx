import { Group, Kbd, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Fragment, useEffect, useState } from 'react';
import { Dialog, Facts, Icon, Problem } from '../pieces';
import { useTexts } from '../texts';

const COMMAND = /Mac|iP/.test(navigator.platform) ? '⌘' : undefined;

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || target.role === 'grid');

/** The search of everything, and the keys that open it, the search of the page, and the list of the keys. */
export function Search() {
  const { palette } = useTexts();
  const [shown, setShown] = useState<'palette' | 'keys'>();
  const command = COMMAND ?? palette.command;
  // Loaded when it is first opened, and again when it is next opened if that failed.
  const code = useQuery({
    queryKey: ['code', 'palette'],
    queryFn: () => import('./palette'),
    enabled: shown === 'palette',
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    networkMode: 'always',
  });
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, target } = event;
      // A dialog stays until it is closed: it may have changes.
      if (altKey || event.defaultPrevented || document.querySelector('[role="dialog"]')) return;
      if (ctrlKey || metaKey) {
        if (key.toLowerCase() !== 'k') return;
        setShown('palette');
      } else if (isTyping(target)) return;
      else if (key === '?') setShown('keys');
      else if (key === '/') {
        const search = document.querySelector<HTMLInputElement>('main input[type="search"]');
        search?.focus();
        search?.select();
        if (!search) setShown('palette');
      } else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
  const close = () => setShown(undefined);
  const keys = [
    [[command, 'K'], palette.keys.everything],
    [['/'], palette.keys.search],
    [['↑', '↓'], palette.keys.move],
    [['Enter'], palette.keys.choose],
    [['Esc'], palette.keys.close],
    [['?'], palette.keys.help],
  ] as const;
  return (
    <>
      <Group
        renderRoot={(props) => <UnstyledButton {...props} />}
        className="search-all"
        gap={8}
        wrap="nowrap"
        flex="none"
        ml="auto"
        p="5px 8px"
        bd="1px solid var(--line-strong)"
        bdrs={6}
        c="dimmed"
        fz={13}
        onClick={() => setShown('palette')}
      >
        <Icon name="search" />
        <span>{palette.open}</span>
        <span>
          <Kbd>{command}</Kbd> <Kbd>K</Kbd>
        </span>
      </Group>
      {shown === 'palette' && code.data && <code.data.Palette onClose={close} />}
      {shown === 'palette' && code.error && (
        <Dialog title={palette.title} onClose={close}>
          <Problem error={code.error} />
        </Dialog>
      )}
      {shown === 'keys' && (
        <Dialog title={palette.shortcuts} onClose={close}>
          <Facts
            facts={keys.map(
              ([pressed, does]) =>
                [
                  does,
                  pressed.map((key) => (
                    <Fragment key={key}>
                      <Kbd>{key}</Kbd>{' '}
                    </Fragment>
                  )),
                ] as const,
            )}
          />
        </Dialog>
      )}
    </>
  );
}
