import { Id, Text } from '#platform/validation';
import type { RaceDistance } from './shapes.dto';

/** The course of a race. */
export class Course {
  @Id() id: string;
  @Text({ example: 'Riverside loop' }) title: string;
  distance: RaceDistance;
}
