import { applicationCommands } from './application';
import { auditCommands } from './audit';
import { ballotCommands } from './ballot';
import { bookingCommands } from './booking';
import { catalogueCommands } from './catalogue';
import type { CommandGroup } from './command-group';
import { demoCommand } from './demo';
import { distributeCommand } from './distribute';
import { doctorCommand } from './doctor';
import { importCommands } from './import';
import { keyCommands } from './key';
import { migrateCommand } from './migrate';
import { organizationCommands } from './organization';
import { participantCommands } from './participant';
import { personCommands } from './person';
import { raceCommands } from './race';
import { staffCommands } from './staff';
import { startListCommands } from './start-list';
import { webhookCommands } from './webhook';

/** Every group of commands, in the order of the help. */
export const COMMAND_GROUPS: CommandGroup[] = [
  migrateCommand,
  distributeCommand,
  organizationCommands,
  keyCommands,
  staffCommands,
  auditCommands,
  catalogueCommands,
  startListCommands,
  raceCommands,
  participantCommands,
  personCommands,
  applicationCommands,
  bookingCommands,
  ballotCommands,
  importCommands,
  webhookCommands,
  demoCommand,
  doctorCommand,
];
