import { useEffect, useMemo, useState } from 'react';
import { type FileMapping, kindOfImport, recognise, type Sheet, textOf } from '../api';
import { Card, Page } from '../pieces';
import { useTexts } from '../texts';
import { DropFile } from '../upload/drop-file';
import { MapColumns } from '../upload/map-columns';
import type { ChosenFile } from '../upload/read-file';
import { Reading } from '../upload/reading';
import { ASSIGNMENTS } from './follow-import';
import { usePlaceChoice } from './use-place-choice';
import { usePlacesByEvent } from './use-places';

const ID = 'externalAssignmentId';

/** Assigns places of one group to the people of a file. */
export function AssignFilePage() {
  const { partner, partners } = useTexts();
  const { places } = usePlacesByEvent();
  const { open, place: chosen, ticket, fields } = usePlaceChoice(places);
  const [file, setFile] = useState<ChosenFile>();
  const numbered = useNumbered(file?.sheet, chosen?.id);
  const values = useMemo(
    () => ({ reservedEntryGroupId: chosen?.id ?? '', ticketSlug: ticket?.ticketSlug ?? '' }),
    [chosen?.id, ticket?.ticketSlug],
  );
  const given: FileMapping | undefined = useMemo(
    () => numbered && { columns: numbered.columns, values, occurrence: chosen?.eventOccurrenceId },
    [numbered, values, chosen?.eventOccurrenceId],
  );
  return (
    <Page title={partner.assignFile} up={{ to: '/places', text: partners.places }}>
      <Card>
        <p className="dim">{places && open.length === 0 ? partner.noneFree : partner.fileHelp}</p>
        {open.length > 0 && fields}
        {chosen && <DropFile file={file} onFile={setFile} />}
      </Card>
      {chosen && file && <Reading file={file} onFile={setFile} />}
      {numbered && given && (
        <MapColumns
          key={chosen?.id}
          path={ASSIGNMENTS}
          sheet={numbered.sheet}
          name={file?.name ?? ''}
          given={given}
        />
      )}
    </Page>
  );
}

interface Numbered {
  sheet: Sheet;
  columns: Record<string, string | null>;
}

/**
 * The file, with a number for each row unless a column has them. It is made of the group and the content of the row, so that a file that is sent
 * again, or with more rows, assigns nobody twice.
 */
function useNumbered(sheet: Sheet | undefined, groupId: string | undefined): Numbered | undefined {
  const { partner } = useTexts();
  const [made, setMade] = useState<Numbered & { of: Sheet; groupId: string }>();
  useEffect(() => {
    if (!sheet || !groupId) return;
    let isWanted = true;
    void numbered(sheet, groupId, partner.number).then(
      (result) => isWanted && setMade({ ...result, of: sheet, groupId }),
    );
    return () => {
      isWanted = false;
    };
  }, [sheet, groupId, partner.number]);
  return made && made.of === sheet && made.groupId === groupId ? made : undefined;
}

async function numbered(sheet: Sheet, groupId: string, name: string): Promise<Numbered> {
  const known = Object.values(recognise(sheet, kindOfImport(ASSIGNMENTS)));
  if (known.includes(ID)) return { sheet, columns: {} };
  const rows = await Promise.all(
    sheet.rows.map(async (row) => {
      const text = [groupId, ...row.cells.map((cell) => textOf(cell).trim())].join('\n');
      const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
      const number = Array.from(hash.slice(0, 10), (byte) => byte.toString(16).padStart(2, '0')).join('');
      return { ...row, cells: [...sheet.columns.map((_, at) => row.cells[at] ?? ''), number] };
    }),
  );
  return { sheet: { ...sheet, columns: [...sheet.columns, name], rows }, columns: { [name]: ID } };
}
