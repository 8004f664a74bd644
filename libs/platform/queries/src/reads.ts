import { Injectable } from '@nestjs/common';
import type { Caller } from '#platform/access';
import { Database, type RowReader } from '#platform/database';
import { errors } from '#platform/validation';
import { JsonText } from './json-text';
import { type Bind, conditionsOf, type Resource, rendering, type Values, writerOf } from './resource';

/** Serves reads of single resources. */
@Injectable()
export class Reads {
  constructor(private readonly database: Database) {}

  /**
   * @param reader the transaction that wrote the resource, if any
   * @throws ApiError 404 if it does not exist or belongs to another organization
   */
  async one(
    resource: Resource,
    caller: Caller,
    id: string,
    values?: Values,
    reader?: RowReader,
  ): Promise<JsonText> {
    const found = await this.find(
      resource,
      caller,
      (bind) => `${resource.id ?? 't.id'} = ${bind(id)}`,
      values,
      reader,
    );
    if (!found) throw errors.notFound();
    return found;
  }

  /** The first resource that matches the condition, or `undefined`. */
  async find(
    resource: Resource,
    caller: Caller,
    condition: (bind: Bind) => string,
    values: Values = {},
    reader: RowReader = this.database.of(caller),
  ): Promise<JsonText | undefined> {
    const bound: unknown[] = [];
    const bind: Bind = (value) => `$${bound.push(value)}`;
    const conditions = [...conditionsOf(resource, caller, bind), condition(bind)];
    const { joins, select } = rendering(resource, values, bind, caller);
    const [text] = await reader.each(
      `SELECT ${select} FROM (SELECT t.* FROM ${resource.from} WHERE ${conditions.join(' AND ')} LIMIT 1) t ${joins}`,
      bound,
      (row, columns) => writerOf(resource, columns)(row),
    );
    return text === undefined ? undefined : new JsonText([text]);
  }
}
