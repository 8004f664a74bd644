import { boundFormats, requireBounded } from '#platform/validation';
import { REF, type Schema } from './schema';

export type Schemas = Record<string, Schema>;

/** The names of all schemas that a part of the document refers to, directly or indirectly. */
export function reachable(part: unknown, schemas: Schemas, found = new Set<string>()): Set<string> {
  if (Array.isArray(part)) {
    for (const one of part) reachable(one, schemas, found);
  } else if (part && typeof part === 'object') {
    for (const [key, value] of Object.entries(part)) {
      const isSchema = key === '$ref' && typeof value === 'string' && value.startsWith(REF);
      const name = isSchema ? value.slice(REF.length) : undefined;
      if (name === undefined) reachable(value, schemas, found);
      else if (!found.has(name)) {
        found.add(name);
        if (!schemas[name])
          throw new Error(`The document refers to the schema ${name}, which is not declared`);
        reachable(schemas[name], schemas, found);
      }
    }
  }
  return found;
}

/** Unknown properties of requests answer 400, so schemas that only requests use are closed, unless they are `@open`. */
export function closeRequests(requests: unknown[], answers: unknown[], schemas: Schemas): void {
  const answered = reachable(answers, schemas);
  for (const name of reachable(requests, schemas)) {
    const schema = schemas[name] as Schema;
    if (!answered.has(name) && schema.properties) schema.additionalProperties ??= false;
  }
}

/** Adds its maximum to every text of a format, in place, so also where responses share the schema. @throws Error if anything else that a request can contain has none */
export function boundRequests(requests: Record<string, unknown>, schemas: Schemas): void {
  boundFormats(requests);
  for (const name of reachable(requests, schemas)) boundFormats(schemas[name]);
  requireBounded(requests as Record<string, Schema>, schemas);
}

/** Deprecated names, for clients that were generated from earlier versions (docs/interface.md#versions). */
const DEPRECATED_ALIASES: Record<string, string> = {
  EventOccurrencesResponse: 'PagedOrganizerEventOccurrenceSummaries',
  Races: 'PagedRaceSummaries',
  ReservedEntryGroups: 'PagedReservedEntryGroups',
  Tickets: 'PagedTickets',
};

export function deprecatedAliases(schemas: Schemas): Schemas {
  const aliases: Schemas = {};
  for (const [alias, name] of Object.entries(DEPRECATED_ALIASES)) {
    if (schemas[name]) {
      aliases[alias] = {
        $ref: REF + name,
        deprecated: true,
        description: `Deprecated: the same as ${name}.`,
      };
    }
  }
  return aliases;
}
