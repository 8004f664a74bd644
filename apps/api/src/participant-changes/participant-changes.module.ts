import { Module } from '@nestjs/common';
import { BibPlanService } from './bib-plan.service';
import { ChangeUndoService } from './change-undo.service';
import { ParticipantChangesController } from './participant-changes.controller';

@Module({
  controllers: [ParticipantChangesController],
  providers: [BibPlanService, ChangeUndoService],
})
export class ParticipantChangesModule {}
