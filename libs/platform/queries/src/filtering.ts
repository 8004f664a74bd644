import { erasedId, mayBeErased } from '#platform/validation';
import { type Filter, filtersOf, type ListDeclaration } from './list-declaration';
import type { ListRequest } from './list-request';
import { type Bind, conditionsOf } from './resource';

/** The filter that finds the rows of the request before anything else. */
export const findingOf = (list: ListDeclaration, { filters }: ListRequest): string | undefined =>
  filters.find((name) => filtersOf(list)[name]?.finds);

/** The table of the list, the view that its order or one of its filters needs, or the rows that a filter finds. */
export function rowsOf(list: ListDeclaration, request: ListRequest, bind: Bind): string {
  const { values, sort, filters, caller } = request;
  const known = filtersOf(list);
  const finding = findingOf(list, request);
  if (finding) return known[finding]?.finds?.(values[finding], bind, caller) as string;
  const name = filters.find((each) => known[each]?.from);
  return sort.from ?? (name && known[name]?.from) ?? list.of.from;
}

/**
 * The conditions of the list, without the position of the page.
 *
 * @param includes whether to apply a filter
 */
export function matchingOf(
  list: ListDeclaration,
  request: ListRequest,
  bind: Bind,
  includes: (filter: string) => boolean = () => true,
): string[] {
  const { caller, values, withinId, filters } = request;
  const where = typeof list.where === 'function' ? list.where(bind, values, caller) : list.where;
  return [
    ...conditionsOf(list.of, caller, bind),
    ...(list.within ? [`${list.within.column} = ${bind(withinId)}`] : []),
    ...(where ? [where] : []),
    ...filteredBy(list, request, bind, filters.filter(includes)),
  ];
}

/** The conditions of some filters. */
export function filteredBy(
  list: ListDeclaration,
  { caller, values, erasureSecret }: ListRequest,
  bind: Bind,
  names: readonly string[],
): string[] {
  const filters = filtersOf(list);
  return names.flatMap((name) => {
    const { where, external } = filters[name] as Filter;
    const value = values[name];
    if (typeof where !== 'function') return where?.[String(value)] ?? [];
    const condition = where(bind(value), bind, caller);
    const { organizationId } = caller;
    return external && erasureSecret && mayBeErased(String(value))
      ? `(${condition} OR ${where(bind(erasedId(erasureSecret, organizationId, String(value))), bind, caller)})`
      : condition;
  });
}
