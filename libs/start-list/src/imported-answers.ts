import type { FieldAnswer } from '#libs/database';
import type { ImportContext } from '#libs/import-rows';
import { type Problem, problem } from '#libs/import-rows';
import type { ImportedAnswer } from './imported-answer.dto';

/** Names, email, date of birth and gender are questions like any other; every organization has them. */
export const IDENTITY_KEYS = ['firstName', 'lastName', 'email', 'dateOfBirth', 'gender'] as const;
export type Identity = { [Key in (typeof IDENTITY_KEYS)[number]]?: string | null };

type Field = Omit<FieldAnswer, 'value'>;

/** The organization's questions, and how answers to them are kept. */
export class Questions {
  private constructor(
    private readonly byId: Map<string, Field>,
    private readonly byKey: Map<string, Field>,
  ) {}

  static async of({ manager, organizationId }: ImportContext): Promise<Questions> {
    const fields: Field[] = await manager.query(
      'SELECT id, key, label, type FROM booking_form_fields WHERE organization_id = $1',
      [organizationId],
    );
    return new Questions(
      new Map(fields.map((field) => [field.id, field])),
      new Map(fields.map((field) => [field.key, field])),
    );
  }

  problemOf(answers: ImportedAnswer[] | undefined, path: string): Problem | undefined {
    const unknown = answers?.findIndex(({ id }) => !this.byId.has(id)) ?? -1;
    return unknown < 0
      ? undefined
      : problem('FIELD_NOT_FOUND', `${path}[${unknown}].id names no booking form field`);
  }

  /** In form order: who it is first, where the form doesn't ask that itself; answers beyond the form last. */
  answers(formFieldIds: string[], identity: Identity, given: ImportedAnswer[] = []): FieldAnswer[] {
    const values = new Map(given.map(({ id, value }) => [id, value]));
    const identityFields = IDENTITY_KEYS.flatMap((key) => this.byKey.get(key) ?? []);
    const order = [
      ...identityFields.map(({ id }) => id).filter((id) => !formFieldIds.includes(id)),
      ...formFieldIds,
      ...values.keys(),
    ];
    return [...new Set(order)].flatMap((id) => {
      const field = this.byId.get(id);
      if (!field) return [];
      const known = (identity as Record<string, string | null | undefined>)[field.key];
      return [{ ...field, value: known ?? values.get(id) ?? null }];
    });
  }
}
