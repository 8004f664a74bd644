import { Module } from '@nestjs/common';
import { ReferenceController } from './reference.controller';

/** The interface described: `/openapi.json` for programs, `/docs` and `/changelog` for people. */
@Module({ controllers: [ReferenceController] })
export class ReferenceModule {}
