import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { AuditEntryItem } from '../api';
import type { PagePath } from '../pages';
import { useSession } from '../session';
import { useTexts } from '../texts';

type Item = AuditEntryItem;

/** The name of who did it. */
export function useWho(): (item: Item) => string {
  const { history } = useTexts();
  return ({ actorType, actorId, actorName }) => {
    const kind = history.actors[actorType] ?? actorType;
    if (actorType === 'STAFF') return actorName ?? history.formerMember;
    if (actorType === 'COMMAND_LINE') return actorId ? `${actorId} (${kind})` : kind;
    return actorName ? `${kind} ${actorName}` : kind;
  };
}

/** The pages of records. */
const PAGES_OF: Record<string, PagePath> = {
  participant: '/participants/:id',
  event_occurrence: '/events/:id',
  import_job: '/imports/:id',
  key: '/developers/keys/:id',
  partner: '/partners/:id',
  reserved_entry_group: '/partners/groups/:id',
  discount_code: '/partners/codes/:id',
};

/** What was done, with a link to the import, or to the record if it is another one. */
export function useSentences(): (item: Item, linked?: boolean) => ReactNode {
  const { history } = useTexts();
  const { opens } = useSession();
  return (item, linked = false) => {
    const { action, objectType, objectId, actorId, details } = item;
    const said = history.actions[action] ?? action;
    if (action === 'participant.import')
      return (
        <>
          {said} · <Link to={`/imports/${actorId}`}>{history.row(Number(details.row ?? 0) + 1)}</Link>
        </>
      );
    if (typeof details.jobId === 'string' && objectType === 'participant')
      return (
        <>
          {said} · <Link to={`/imports/${details.jobId}`}>{history.several}</Link>
        </>
      );
    const name = typeof details.name === 'string' ? ` ${history.quoted(details.name)}` : '';
    const path = PAGES_OF[objectType];
    if (!linked || !objectId || !path || !opens(path)) return said + name;
    return (
      <Link to={path.replace(':id', objectId)}>
        {said}
        {name}
      </Link>
    );
  };
}

/** What changed: from what to what, or the names of the fields only. */
export function Changes({ item: { changes, details } }: { item: Item }) {
  const { history, participants, roles } = useTexts();
  const words: Record<string, string> = {
    ...participants.shippingStates,
    ...roles,
    ...{ true: participants.yes, false: participants.no },
  };
  const said = (value: string | null) => value && (words[value] ?? value);
  const named = (field: string) => history.fields[field.replace(/^raceDayFields\./, '')] ?? field;
  if (changes?.length)
    return (
      <ul className="plain-list">
        {changes.map(({ field, from, to }, i) => (
          <li key={`${i} ${field}`}>{history.changed(named(field), said(from), said(to))}</li>
        ))}
      </ul>
    );
  const { changed } = details;
  if (!Array.isArray(changed) || changed.length === 0) return null;
  return <p className="dim">{history.onlyFields(changed.map((field) => named(String(field))))}</p>;
}
