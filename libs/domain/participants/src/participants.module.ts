import { Module } from '@nestjs/common';
import { CorrectionsService } from './corrections/corrections.service';
import { PersonsService } from './erasure/persons.service';
import { ParticipantsExport } from './participants-export.service';
import { RegistrationStatusService } from './registration-status.service';
import { BallotsService } from './staff-entries/ballots.service';
import { ApplicationDecisionsService } from './staff-entries/decisions.service';
import { StaffParticipantsService } from './staff-participants.service';
import { TransferService } from './transfer/transfer.service';

const SERVICES = [
  ApplicationDecisionsService,
  BallotsService,
  CorrectionsService,
  ParticipantsExport,
  PersonsService,
  RegistrationStatusService,
  StaffParticipantsService,
  TransferService,
];

/** Corrections, transfers, exports and the search of participants, and the registration check, for the modules of the api. */
@Module({ providers: SERVICES, exports: SERVICES })
export class ParticipantsDomainModule {}
