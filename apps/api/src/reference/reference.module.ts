import { Module } from '@nestjs/common';
import { ReferenceController } from './reference.controller';

/** The documentation of the interface: `/openapi.json`, `/docs` and `/changelog`. */
@Module({ controllers: [ReferenceController] })
export class ReferenceModule {}
