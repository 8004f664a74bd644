import { Button, Menu } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useTexts } from '../texts';
import { Icon } from './icons';
import type { Column } from './table';

export type ChoosableColumn<Row> = Column<Row> & {
  key: string;
  /** Whether it shows until somebody chooses. The main column always shows. */
  shown?: boolean;
};

/**
 * The columns of a table that show, and the button that chooses them. The choice is kept in the browser.
 *
 * @param table its name
 */
export function useColumns<Row>(
  table: string,
  columns: readonly ChoosableColumn<Row>[],
): { shown: ChoosableColumn<Row>[]; choose: ReactNode } {
  const { table: texts } = useTexts();
  const [chosen, setChosen] = useLocalStorage<Record<string, boolean>>({
    key: `startline.columns.${table}`,
    defaultValue: {},
    getInitialValueInEffect: false,
  });
  const isShown = ({ key, main, shown }: ChoosableColumn<Row>) => main || (chosen[key] ?? shown ?? true);
  const choose = (
    <Menu>
      <Menu.Target>
        <Button variant="default" size="xs" rightSection={<Icon name="down" />}>
          {texts.columns}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {columns
          .filter(({ main }) => !main)
          .map((column) => (
            <Menu.CheckboxItem
              key={column.key}
              checked={isShown(column)}
              onChange={(checked) => setChosen({ ...chosen, [column.key]: checked })}
            >
              {column.title}
            </Menu.CheckboxItem>
          ))}
      </Menu.Dropdown>
    </Menu>
  );
  return { shown: columns.filter(isShown), choose };
}
