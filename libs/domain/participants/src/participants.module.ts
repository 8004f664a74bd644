import { Module } from '@nestjs/common';
import { CorrectionsService } from './corrections/corrections.service';
import { ParticipantsExport } from './participants-export.service';
import { RegistrationStatusService } from './registration-status.service';
import { StaffParticipantsService } from './staff-participants.service';

/** Corrections, exports and the search of participants, and the registration check, for the modules of the api. */
@Module({
  providers: [CorrectionsService, ParticipantsExport, RegistrationStatusService, StaffParticipantsService],
  exports: [CorrectionsService, ParticipantsExport, RegistrationStatusService, StaffParticipantsService],
})
export class ParticipantsDomainModule {}
