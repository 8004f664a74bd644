import {
  Body,
  type CanActivate,
  ClassSerializerInterceptor,
  Controller,
  type ExecutionContext,
  Get,
  HttpCode,
  Injectable,
  Module,
  NotFoundException,
  Param,
  ParseUUIDPipe,
  Post,
  Query,
  Req,
  UnauthorizedException,
  ValidationPipe,
} from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR, NestFactory } from '@nestjs/core';
import { JwtModule, JwtService } from '@nestjs/jwt';
import { ThrottlerGuard, ThrottlerModule } from '@nestjs/throttler';
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import { Type } from 'class-transformer';
import { IsEmail, IsInt, IsOptional, Max, Min } from 'class-validator';
import { getMetadataArgsStorage, IsNull, Repository } from 'typeorm';
import { dataSourceOptions } from '#platform/database';
import { Participant, RELATIONS } from './entry';

/**
 * A typical application with Nest and TypeORM: entities with relations, findAndCount, the serializer interceptor, the
 * validation pipe, the throttler with its own storage, and verification of the token for each request.
 */
interface Authorized {
  headers: { authorization?: string };
  organizationId: string;
}

@Injectable()
class TokenGuard implements CanActivate {
  constructor(private readonly jwt: JwtService) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Authorized>();
    const [, token = ''] = request.headers.authorization?.split(' ') ?? [];
    try {
      const { sub } = await this.jwt.verifyAsync<{ sub: string }>(token);
      request.organizationId = sub;
      return true;
    } catch {
      throw new UnauthorizedException();
    }
  }
}

class PageQuery {
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(500)
  limit = 100;

  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  page = 1;
}

class RegistrationBody {
  @IsEmail()
  email: string;
}

@Controller()
class ParticipantsController {
  constructor(@InjectRepository(Participant) private readonly participants: Repository<Participant>) {}

  @Get('participants')
  async list(@Req() { organizationId }: Authorized, @Query() { limit, page }: PageQuery) {
    const [data, totalResults] = await this.participants.findAndCount({
      where: { organizationId, approvalStatus: 'APPROVED' },
      relations: RELATIONS,
      order: { createdAt: 'ASC', participantId: 'ASC' },
      take: limit,
      skip: (page - 1) * limit,
    });
    return { data, page: { totalResults, page, limit } };
  }

  @Get('participants/:id')
  async get(@Req() { organizationId }: Authorized, @Param('id', ParseUUIDPipe) participantId: string) {
    const found = await this.participants.findOne({
      where: { organizationId, participantId, approvalStatus: 'APPROVED' },
      relations: RELATIONS,
    });
    if (!found) throw new NotFoundException();
    return found;
  }

  @Post('occurrences/:id/registration-status')
  @HttpCode(200)
  async registered(
    @Req() { organizationId }: Authorized,
    @Param('id', ParseUUIDPipe) eventOccurrenceId: string,
    @Body() { email }: RegistrationBody,
  ) {
    const registered = await this.participants.exists({
      where: {
        organizationId,
        eventOccurrenceId,
        emailNormalized: email.toLowerCase(),
        approvalStatus: 'APPROVED',
        cancelledAt: IsNull(),
        gdprRedacted: false,
      },
    });
    return { eventOccurrenceId, registered };
  }
}

@Module({
  imports: [
    TypeOrmModule.forRoot({
      ...dataSourceOptions({
        url: process.env.DATABASE_URL as string,
        applicationName: 'naive',
        poolSize: 20,
      }),
      entities: getMetadataArgsStorage().tables.map(({ target }) => target as () => unknown),
    }),
    TypeOrmModule.forFeature([Participant]),
    ThrottlerModule.forRoot([{ ttl: 60_000, limit: 1_000_000_000 }]),
    JwtModule.register({ secret: process.env.SECRET }),
  ],
  controllers: [ParticipantsController],
  providers: [
    { provide: APP_GUARD, useClass: ThrottlerGuard },
    { provide: APP_GUARD, useClass: TokenGuard },
    { provide: APP_INTERCEPTOR, useClass: ClassSerializerInterceptor },
  ],
})
class NaiveModule {}

async function main(): Promise<void> {
  const app = await NestFactory.create(NaiveModule, { logger: ['error', 'warn'] });
  app.useGlobalPipes(new ValidationPipe({ transform: true, whitelist: true }));
  await app.listen(Number(process.env.PORT), '127.0.0.1');
}

void main();
