import type { Cursor } from './cursor';
import { matchingOf, rowsOf } from './filtering';
import { filtersOf, type ListDeclaration } from './list-declaration';
import type { ListRequest } from './list-request';
import { type Bind, isLimited } from './resource';

/** The total in a cursor is counted again after this time. */
const TOTAL_SECONDS = 60;

/** The counter that has the total, which is then read with every page, and its subject. */
export function counterOf(
  list: ListDeclaration,
  { filters, withinId, caller, values }: ListRequest,
): { kind: string; subject: (bind: Bind) => string } | undefined {
  const [name, another] = filters;
  const { partner } = caller;
  // The other counters count rows of the organization.
  if (partner)
    return name === undefined && list.partnerCounter
      ? { kind: list.partnerCounter, subject: (bind) => bind(partner.id) }
      : undefined;
  if (isLimited(list.of, caller)) return undefined;
  if (name === undefined)
    return list.counter === undefined
      ? undefined
      : {
          kind: list.counter,
          subject: (bind) => bind(list.counts?.(caller) ?? withinId ?? caller.organizationId),
        };
  const counter = another === undefined && !list.within ? filtersOf(list)[name]?.counter : undefined;
  return counter && { kind: counter.kind, subject: (bind) => counter.subject(`${bind(values[name])}::text`) };
}

/** An expression for the total. */
export function countOf(list: ListDeclaration, request: ListRequest, bind: Bind): string {
  const counter = counterOf(list, request);
  return counter
    ? `tally(${bind(request.caller.organizationId)}, '${counter.kind}', ${counter.subject(bind)})`
    : `(SELECT count(*) FROM ${rowsOf(list, request, bind)} WHERE ${matchingOf(list, request, bind).join(' AND ') || 'true'})`;
}

/** The total that an earlier page counted, if it is recent enough and no counter has it. */
export function knownTotal(list: ListDeclaration, request: ListRequest): Cursor['total'] {
  const { total } = request.cursor ?? {};
  const isRecent = total && Date.now() / 1000 - total.at < TOTAL_SECONDS;
  return isRecent && !counterOf(list, request) ? total : undefined;
}
