import { Module } from '@nestjs/common';
import { LineItemsController } from './line-items.controller';

@Module({ controllers: [LineItemsController] })
export class LineItemsModule {}
