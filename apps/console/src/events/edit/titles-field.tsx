import { ActionIcon, Group, Select, Stack, TextInput } from '@mantine/core';
import { Icon } from '../../pieces';
import { useTexts } from '../../texts';
import { isObject } from './paths';
import type { InputProps } from './use-typed';

const LOCALES = [
  ...[
    'en-GB',
    'en-US',
    'de-DE',
    'fr-FR',
    'es-ES',
    'it-IT',
    'nl-NL',
    'pt-PT',
    'pt-BR',
    'da-DK',
    'sv-SE',
    'nb-NO',
  ],
  ...[
    'fi-FI',
    'pl-PL',
    'cs-CZ',
    'hu-HU',
    'el-GR',
    'tr-TR',
    'ja-JP',
    'ko-KR',
    'zh-CN',
    'hi-IN',
    'cy-GB',
    'ga-IE',
  ],
];

/** The API takes locales that browsers can't name. */
function namesIn(language: string): (locale: string) => string {
  const names = new Intl.DisplayNames(language, { type: 'language' });
  return (locale) => {
    try {
      return names.of(locale) ?? locale;
    } catch {
      return locale;
    }
  };
}

/** Titles by language, beside the usual one. */
export function TitlesField({
  value,
  onChange,
  label,
  error,
}: InputProps & { value: unknown; onChange(value: unknown): void }) {
  const { eventForm: words, locale } = useTexts();
  const titles = isObject(value) ? value : {};
  const nameOf = namesIn(locale);
  const left = LOCALES.filter((each) => !(each in titles));
  const change = (next: Record<string, unknown>) => onChange(Object.keys(next).length > 0 ? next : undefined);
  return (
    <Stack component="fieldset" gap={8} align="flex-start">
      <legend>{label}</legend>
      {Object.entries(titles).map(([each, title]) => (
        <Group key={each} gap={8} w="100%" maw={640}>
          <TextInput
            aria-label={words.titleIn(nameOf(each))}
            leftSection={<span className="dim">{each}</span>}
            leftSectionWidth={64}
            flex={1}
            maxLength={500}
            value={String(title ?? '')}
            onChange={({ target }) => change({ ...titles, [each]: target.value })}
          />
          <ActionIcon
            variant="default"
            size="lg"
            aria-label={words.removeTitle(nameOf(each))}
            onClick={() => {
              const { [each]: _, ...others } = titles;
              change(others);
            }}
          >
            <Icon name="cross" />
          </ActionIcon>
        </Group>
      ))}
      {error && <p className="bad">{error}</p>}
      <Select
        aria-label={words.addLanguage}
        placeholder={words.addLanguage}
        searchable
        size="xs"
        w={200}
        data={left.map((each) => ({ value: each, label: nameOf(each) }))}
        value={null}
        onChange={(each) => each && change({ ...titles, [each]: '' })}
      />
    </Stack>
  );
}
