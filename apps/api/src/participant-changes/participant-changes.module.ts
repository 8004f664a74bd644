import { Module } from '@nestjs/common';
import { BibPlanService } from './bib-plan.service';
import { ParticipantChangesController } from './participant-changes.controller';

@Module({
  controllers: [ParticipantChangesController],
  providers: [BibPlanService],
})
export class ParticipantChangesModule {}
