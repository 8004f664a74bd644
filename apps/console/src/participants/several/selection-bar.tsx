import { Button, Checkbox, Group, Menu, UnstyledButton } from '@mantine/core';
import { Icon } from '../../pieces';
import { useTexts } from '../../texts';
import type { Selection } from './use-selection';

export const CHANGES = ['TAG', 'UNTAG', 'WAVE', 'CANCEL'] as const;
export type Change = (typeof CHANGES)[number];

interface SelectionBarProps {
  selection: Selection;
  /** The ids of the page. */
  page: string[];
  /** How many match the filters; undefined for a search, which shows a part only. */
  matching?: number;
  count: number;
  onChange(change: Change): void;
}

/** What is selected, and what can be done with it. */
export function SelectionBar({ selection, page, matching, count, onChange }: SelectionBarProps) {
  const { participants } = useTexts();
  const { several } = participants;
  const onPage = page.filter((id) => selection.ids.has(id)).length;
  const isWhole = selection.all || (page.length > 0 && onPage === page.length);
  return (
    <Group gap="6px 14px" mih={32} mr="auto">
      <Checkbox
        label={several.selectPage}
        checked={isWhole}
        indeterminate={!isWhole && onPage > 0}
        onChange={() => (selection.all ? selection.clear() : selection.togglePage(page))}
      />
      <span className="dim" role="status">
        {count > 0 && several.selected(count)}
      </span>
      {count > 0 && (
        <>
          {!selection.all && matching !== undefined && matching > count && (
            <UnstyledButton className="disclose" onClick={selection.selectAll}>
              {several.selectAll(matching)}
            </UnstyledButton>
          )}
          <UnstyledButton className="disclose" onClick={selection.clear}>
            {several.clear}
          </UnstyledButton>
          <Menu>
            <Menu.Target>
              <Button size="xs" rightSection={<Icon name="down" />}>
                {several.change}
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {CHANGES.map((change) => (
                <Menu.Item key={change} onClick={() => onChange(change)}>
                  {several.actions[change]}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        </>
      )}
    </Group>
  );
}
