import { type DynamicModule, Module } from '@nestjs/common';
import type { Settings } from './settings';

export const SETTINGS = Symbol('settings');

/** Provides the settings to every module. */
@Module({})
export class ConfigModule {
  static of(settings: Settings): DynamicModule {
    return {
      module: ConfigModule,
      global: true,
      providers: [{ provide: SETTINGS, useValue: settings }],
      exports: [SETTINGS],
    };
  }
}
