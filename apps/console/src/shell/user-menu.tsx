import { Group, Menu, UnstyledButton, useMantineColorScheme, VisuallyHidden } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { queueOf } from '../desk/queue';
import { Confirm, Icon } from '../pieces';
import { useSession } from '../session';
import { LANGUAGE_NAMES, type Language, useLanguage } from '../texts';

const THEMES = ['light', 'dark', 'auto'] as const;
const LANGUAGES = Object.keys(LANGUAGE_NAMES) as Language[];

export function UserMenu() {
  const { me, api, leave, organizationId } = useSession();
  const [unsent, setUnsent] = useState(0);
  const { language, speak, texts } = useLanguage();
  const { desk, account, shell, roles } = texts;
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [, go] = useLocation();
  const signOut = useMutation({
    mutationFn: () => api.delete('/console/v1/session'),
    onSettled: leave,
  });
  const queue = queueOf(organizationId);
  const leaveSafely = () => {
    const count = queue.snapshot().filter(({ confirmedAt }) => !confirmedAt).length;
    if (count > 0) setUnsent(count);
    else signOut.mutate();
  };
  return (
    <>
      <Menu width={260}>
        <Menu.Target>
          <UnstyledButton className="user" p="5px 8px" bdrs={6} fz={13}>
            <VisuallyHidden>{account.title}</VisuallyHidden>
            <Group gap={8} wrap="nowrap">
              <Icon name="people" />
              <span className="user-email">{me.email}</span>
              <Icon name="down" />
            </Group>
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{roles[me.role]}</Menu.Label>
          <Menu.Item onClick={() => go('/account')}>{account.title}</Menu.Item>
          <Menu.Divider />
          <Menu.Label>{shell.theme}</Menu.Label>
          {THEMES.map((theme) => (
            <Menu.Item
              key={theme}
              closeMenuOnClick={false}
              aria-current={colorScheme === theme ? 'true' : undefined}
              rightSection={colorScheme === theme && <Icon name="check" />}
              onClick={() => setColorScheme(theme)}
            >
              {shell.themes[theme]}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Label>{shell.language}</Menu.Label>
          {LANGUAGES.map((each) => (
            <Menu.Item
              key={each}
              lang={each}
              closeMenuOnClick={false}
              aria-current={language === each ? 'true' : undefined}
              rightSection={language === each && <Icon name="check" />}
              onClick={() => speak(each)}
            >
              {LANGUAGE_NAMES[each]}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item onClick={leaveSafely}>{shell.signOut}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {unsent > 0 && (
        <Confirm
          title={desk.leaveTitle}
          action={shell.signOut}
          keep={desk.leaveStay}
          danger
          pending={signOut.isPending}
          onConfirm={() => {
            queue.clear();
            signOut.mutate();
          }}
          onClose={() => setUnsent(0)}
        >
          <p>{desk.leaveText(unsent)}</p>
        </Confirm>
      )}
    </>
  );
}
