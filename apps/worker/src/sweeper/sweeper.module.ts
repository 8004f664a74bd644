import { Module } from '@nestjs/common';
import { Maintenance } from '../maintenance/maintenance';
import { Refreshes } from '../maintenance/refreshes';
import { WebhooksModule } from '../webhooks/webhooks.module';
import { Sweeper } from './sweeper';

@Module({ imports: [WebhooksModule], providers: [Maintenance, Refreshes, Sweeper] })
export class SweeperModule {}
