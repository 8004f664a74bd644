import { Module } from '@nestjs/common';
import { Upkeep } from './upkeep';

@Module({ providers: [Upkeep] })
export class UpkeepModule {}
