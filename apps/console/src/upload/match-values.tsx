import { Button, Select } from '@mantine/core';
import { type FileMapping, type Match, nameOfField, type Plan, type SheetField } from '../api';
import { Card, Table } from '../pieces';
import { useLanguage, useTexts } from '../texts';

/** Names that are shown at once. */
const SHOWN = 100;

interface MatchValuesProps {
  kind: { fields: readonly Pick<SheetField, 'path' | 'label'>[] };
  plan: Pick<Plan, 'matches' | 'candidates'>;
  matches: NonNullable<FileMapping['matches']>;
  onChange(name: string, key: string, id: string): void;
}

/** The names in the file that no record or option has exactly: a person chooses what is meant, or confirms what is similar. */
export function MatchValues({ kind, plan, matches, onChange }: MatchValuesProps) {
  const { upload } = useTexts();
  const { language } = useLanguage();
  const open = Object.entries(plan.matches).flatMap(([name, found]) =>
    // What was chosen stays, so that it can be changed.
    found.filter(({ id, key }) => !id || matches[name]?.[key]).map((match) => ({ name, match })),
  );
  if (open.length === 0) return null;
  const fieldOf = (name: string) => {
    const field = kind.fields.find(({ path }) => path === name || path.endsWith(`.${name}`));
    return nameOfField(field?.path ?? name, language, field?.label);
  };
  return (
    <Card title={upload.matches.title}>
      <p className="dim">{upload.matches.help}</p>
      <Table
        caption={upload.matches.title}
        columns={[
          { title: upload.matches.text, main: true, cell: ({ match }) => <strong>{match.text}</strong> },
          { title: upload.matches.of, cell: ({ name }) => fieldOf(name) },
          { title: upload.matches.rows, cell: ({ match }) => match.count },
          {
            title: upload.matches.meant,
            width: 'wide',
            cell: ({ name, match }) => (
              <Meant
                match={match}
                candidates={plan.candidates[name] ?? []}
                onChange={(id) => onChange(name, match.key, id)}
              />
            ),
          },
        ]}
        rows={open.slice(0, SHOWN)}
        keyOf={({ name, match }) => `${name}/${match.key}`}
      />
      {open.length > SHOWN && <p className="dim">{upload.matches.more(open.length - SHOWN)}</p>}
    </Card>
  );
}

interface MeantProps {
  match: Match;
  candidates: NonNullable<Plan['candidates'][string]>;
  onChange(id: string): void;
}

function Meant({ match: { text, id, close, of }, candidates, onChange }: MeantProps) {
  const { matches } = useTexts().upload;
  const choices = candidates
    .filter((each) => !each.of || !of || each.of === of)
    .map(({ id: value, label, names }) => ({ value, label: label ?? names[0] ?? value }));
  const similar = choices.find(({ value }) => value === close);
  return (
    <>
      <Select
        aria-label={matches.choiceFor(text)}
        placeholder={matches.choose}
        searchable
        data={choices}
        value={id ?? null}
        onChange={(chosen) => chosen && onChange(chosen)}
      />
      {similar && (
        <Button variant="subtle" size="compact-sm" onClick={() => onChange(similar.value)}>
          {matches.confirm(similar.label)}
        </Button>
      )}
    </>
  );
}
