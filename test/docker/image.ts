import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { type Copy, DockerfileParser, type From, type JSONInstruction } from 'dockerfile-ast';

const ROOT = resolve(__dirname, '../..');
const DOCKERFILE = join(ROOT, 'docker/Dockerfile');
/** If set, installs from the registry like the Dockerfile, which takes a minute; otherwise uses this repository's packages. */
const INSTALL = process.env.IMAGE_INSTALL === 'npm';

/** Runs the steps of the Dockerfile in a directory. */
export class Image {
  /** The default command. */
  readonly command: string[] = [];
  readonly environment: Record<string, string> = {};
  readonly healthcheck: string[] = [];
  user = 'root';

  private constructor(
    private readonly root: string,
    private readonly stages: Map<string, string>,
  ) {}

  static build(): Image {
    const root = mkdtempSync(join(tmpdir(), 'startline-image-'));
    const image = new Image(root, new Map());
    try {
      for (const instruction of DockerfileParser.parse(readFileSync(DOCKERFILE, 'utf8')).getInstructions())
        image.take(instruction as JSONInstruction);
    } catch (error) {
      image.remove();
      throw error;
    }
    // Readable but not writable for other users.
    for (const folder of [root, image.folder]) chmodSync(folder, 0o755);
    return image;
  }

  /** Its working directory. */
  get folder(): string {
    return [...this.stages.values()].at(-1) as string;
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true, maxRetries: 3 });
  }

  private take(instruction: JSONInstruction): void {
    const words = instruction.getArguments().map((word) => word.getValue());
    const steps: Record<string, () => void> = {
      FROM: () => this.begin((instruction as unknown as From).getBuildStage() ?? 'last'),
      COPY: () => this.copy(words, (instruction as unknown as Copy).getFromFlag()?.getValue() ?? undefined),
      RUN: () => this.run(instruction.getRawArgumentsContent() ?? ''),
      ENV: () => void Object.assign(this.environment, Object.fromEntries(words.map(pairOf))),
      USER: () => {
        this.user = words[0] ?? 'root';
      },
      CMD: () => void this.command.splice(0, Infinity, ...wordsOf(instruction)),
      HEALTHCHECK: () => {
        const [, command = '[]'] = / CMD (\[.+\])$/s.exec(` ${instruction.getRawArgumentsContent()}`) ?? [];
        this.healthcheck.splice(0, Infinity, ...JSON.parse(command.replace(/^\\$/gm, '')));
      },
      WORKDIR: () => {},
      EXPOSE: () => {},
    };
    const step = steps[instruction.getKeyword()];
    if (!step) throw new Error(`Nobody does by hand what ${instruction.getKeyword()} says`);
    step();
  }

  private begin(name: string): void {
    const folder = join(this.root, name);
    mkdirSync(folder);
    this.stages.set(name, folder);
  }

  /** @param from a stage; without it, the context: the repository without what .dockerignore excludes */
  private copy(words: string[], from: string | undefined): void {
    const sources = words.slice(0, -1).flatMap((source) => (from ? [source] : matching(source)));
    const target = join(this.folder, words.at(-1) as string);
    for (const source of sources) {
      const path = from
        ? join(this.stages.get(from) as string, source.replace(/^\/startline\//, ''))
        : join(ROOT, source);
      const to = words.at(-1)?.endsWith('/') ? join(target, basename(source)) : target;
      cpSync(path, to, { recursive: true, verbatimSymlinks: true });
    }
  }

  private run(script: string): void {
    const lent = join(this.folder, 'node_modules');
    if (!INSTALL && !existsSync(lent)) {
      symlinkSync(join(ROOT, 'node_modules'), lent);
      return;
    }
    const said = spawnSync('sh', ['-ec', INSTALL ? script : (script.split('&&')[0] ?? '')], {
      cwd: this.folder,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: process.env.HOME },
    });
    if (said.status !== 0) throw new Error(`RUN ${script}\n${said.stdout}${said.stderr}`);
  }
}

const wordsOf = (instruction: JSONInstruction): string[] =>
  instruction.getJSONStrings().map((word) => JSON.parse(word.getValue()));

const pairOf = (word: string): [string, string] => {
  const at = word.indexOf('=');
  return [word.slice(0, at), word.slice(at + 1)];
};

/**
 * The files of the context that match a source, which can end with `*` and an extension.
 * @throws Error for sources that Docker would not find either
 */
function matching(source: string): string[] {
  const [first, ...kept] = readFileSync(`${DOCKERFILE}.dockerignore`, 'utf8').trim().split('\n');
  const isKept = kept.some((line) => line === `!${source}` || source.startsWith(`${line.slice(1)}/`));
  if (first !== '*' || !isKept) throw new Error(`${source} is not in Docker's context`);
  const [folder, extension] = source.split('*') as [string, string?];
  if (extension === undefined) return [source];
  return readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith(extension))
    .map((name) => folder + name);
}
