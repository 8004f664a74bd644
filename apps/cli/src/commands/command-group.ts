import type { Command } from 'commander';
import type { Context } from '../context';

/** Adds its commands to the program. */
export type CommandGroup = (program: Command, context: Context) => void;
