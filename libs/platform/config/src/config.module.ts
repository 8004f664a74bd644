import type { DynamicModule } from '@nestjs/common';
import type { Settings } from './settings';

export const SETTINGS = Symbol('settings');

/** Provides the settings to every module. Without a decorator, which would load Nest where only settings are read. */
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
