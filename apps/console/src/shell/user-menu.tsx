import { Group, Menu, UnstyledButton, useMantineColorScheme, VisuallyHidden } from '@mantine/core';
import { useLocation } from 'wouter';
import { Icon } from '../pieces';
import { useSession } from '../session';
import { LANGUAGE_NAMES, type Language, useLanguage } from '../texts';
import { useSignOut } from './use-sign-out';

const THEMES = ['light', 'dark', 'auto'] as const;
const LANGUAGES = Object.keys(LANGUAGE_NAMES) as Language[];

export function UserMenu() {
  const { me } = useSession();
  const signOut = useSignOut();
  const { language, speak, texts } = useLanguage();
  const { account, shell, roles } = texts;
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [, go] = useLocation();
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
          <Menu.Item onClick={signOut.ask}>{shell.signOut}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {signOut.question}
    </>
  );
}
