import { organization } from '#libs/testing';
import { type CommandLine, commandLine } from './startline';

/** The command line, with an organization that can be replaced by a new one, and race calendars for it. */
export class Calendars {
  slug = '';

  private constructor(readonly cli: CommandLine) {}

  static async start(): Promise<Calendars> {
    return new Calendars(await commandLine());
  }

  /** From here on, in an organization without a catalogue. */
  async begin(): Promise<void> {
    ({ slug: this.slug } = await organization(this.cli.dataSource));
  }

  /** Loads the lines of a file. */
  load(lines: string[], ...words: string[]) {
    const file = this.cli.file(`${this.slug}.csv`, `${lines.join('\n')}\n`);
    return this.cli.run('catalogue', 'load', file, '--organization', this.slug, ...words);
  }

  /** The occurrences of the export. */
  async occurrences() {
    const { answer } = await this.cli.run('catalogue', 'export', '--organization', this.slug, '--no-ids');
    return answer.filter(({ record }: { record: string }) => record === 'occurrence');
  }
}
