import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { QueryRunner } from 'typeorm';
import type { Migration } from '.';
import { announcements } from './baseline/announcements';
import { comparing } from './baseline/comparing';
import { searching } from './baseline/searching';

/** In the order in which they refer to each other. */
const SUBJECTS = [
  'basics',
  'organizations',
  'catalogue',
  'partners',
  'access',
  'bookings',
  'imports',
  'race-day',
  'changes',
  'operations',
  'everywhere',
];

/** The whole schema, by subject (`baseline`). Later changes are migrations of their own. */
export class Baseline1796000000001 implements Migration {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const sql of [...comparing(), ...searching]) await queryRunner.query(sql);
    for (const subject of SUBJECTS)
      await queryRunner.query(readFileSync(join(__dirname, 'baseline', `${subject}.sql`), 'utf8'));
    for (const sql of announcements) await queryRunner.query(sql);
  }
}
