import { Global, Module } from '@nestjs/common';
import { Keys } from './keys';

/** Gives `Keys` to the guards. */
@Global()
@Module({ providers: [Keys], exports: [Keys] })
export class AccessModule {}
