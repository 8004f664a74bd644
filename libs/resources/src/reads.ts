import { Injectable } from '@nestjs/common';
import type { Caller } from '#libs/access';
import { Database } from '#libs/database';
import { errors } from '#libs/errors';
import { JsonText } from './json-text';
import { type Bind, conditionsOf, type Resource, rendering, type Values } from './resource';

/** Answers every read of a single resource. */
@Injectable()
export class Reads {
  constructor(private readonly database: Database) {}

  /** @throws ApiError 404 where it is missing, or another organization's: the two can't be told apart */
  async one(resource: Resource, caller: Caller, id: string, values: Values = {}): Promise<JsonText> {
    const found = await this.find(
      resource,
      caller,
      (bind) => `${resource.id ?? 't.id'} = ${bind(id)}`,
      values,
    );
    if (!found) throw errors.notFound();
    return found;
  }

  /** The first that fits the condition, or undefined. */
  async find(
    resource: Resource,
    caller: Caller,
    condition: (bind: Bind) => string,
    values: Values = {},
  ): Promise<JsonText | undefined> {
    const bound: unknown[] = [];
    const bind: Bind = (value) => `$${bound.push(value)}`;
    const conditions = [...conditionsOf(resource, caller.organizationId, bind), condition(bind)];
    const { joins, json } = rendering(resource, values, bind);
    const [row] = await this.database.tuples<[string]>(
      `SELECT ${json} FROM (SELECT t.* FROM ${resource.from} WHERE ${conditions.join(' AND ')} LIMIT 1) t ${joins}`,
      bound,
    );
    return row && new JsonText([row[0]]);
  }
}
