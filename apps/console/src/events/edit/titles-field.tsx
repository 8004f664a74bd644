import { ActionIcon, Select, TextInput } from '@mantine/core';
import { Icon } from '../../pieces/icons';
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

/** Titles by language, beside the usual one. */
export function TitlesField({
  value,
  onChange,
  label,
  error,
}: InputProps & { value: unknown; onChange(value: unknown): void }) {
  const { eventForm: words, locale } = useTexts();
  const titles = isObject(value) ? value : {};
  const names = new Intl.DisplayNames(locale, { type: 'language' });
  const left = LOCALES.filter((each) => !(each in titles));
  const change = (next: Record<string, unknown>) => onChange(Object.keys(next).length > 0 ? next : undefined);
  return (
    <fieldset className="titles">
      <legend>{label}</legend>
      {Object.entries(titles).map(([each, title]) => (
        <div key={each} className="titles-row">
          <TextInput
            aria-label={words.titleIn(names.of(each) ?? each)}
            leftSection={<span className="dim">{each}</span>}
            leftSectionWidth={64}
            maxLength={500}
            value={String(title ?? '')}
            onChange={({ target }) => change({ ...titles, [each]: target.value })}
          />
          <ActionIcon
            variant="default"
            size="lg"
            aria-label={words.removeTitle(names.of(each) ?? each)}
            onClick={() => {
              const { [each]: _, ...others } = titles;
              change(others);
            }}
          >
            <Icon name="cross" />
          </ActionIcon>
        </div>
      ))}
      {error && <p className="bad">{error}</p>}
      <Select
        aria-label={words.addLanguage}
        placeholder={words.addLanguage}
        searchable
        size="xs"
        className="titles-add"
        data={left.map((each) => ({ value: each, label: names.of(each) ?? each }))}
        value={null}
        onChange={(each) => each && change({ ...titles, [each]: '' })}
      />
    </fieldset>
  );
}
