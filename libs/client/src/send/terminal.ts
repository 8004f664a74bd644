import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';

/** A person who can be asked. Whoever presses Enter, or ends the input, answers nothing. */
export interface Terminal {
  confirm(question: string): Promise<boolean>;
  /** @returns the place of the choice, from 0 */
  choose(question: string, choices: readonly string[]): Promise<number | undefined>;
  enter(question: string): Promise<string | undefined>;
}

/** Asks on a terminal; undefined where there is none. */
export function terminalOf({ stdin, stderr }: NodeJS.Process): Terminal | undefined {
  if (!stdin.isTTY || !stderr.isTTY) return undefined;
  const ask = async (question: string) => {
    const lines = createInterface({ input: stdin, output: stderr });
    const ended = once(lines, 'close').then(() => '');
    const answer = await Promise.race([lines.question(question), ended]);
    lines.close();
    return answer.trim();
  };
  return {
    confirm: async (question) => /^(y|yes|j|ja)$/i.test(await ask(`${question} [y/N] `)),
    choose: async (question, choices) => {
      const listed = choices.map((choice, i) => `${String(i + 1).padStart(3)}  ${choice}\n`).join('');
      let prompt = `${question}\n${listed}`;
      for (;;) {
        const answer = await ask(`${prompt}Number, or Enter to stop: `);
        if (answer === '') return undefined;
        const at = Number(answer) - 1;
        if (Number.isInteger(at) && at >= 0 && at < choices.length) return at;
        prompt = `Type a number from 1 to ${choices.length}.\n`;
      }
    },
    enter: async (question) => (await ask(`${question}: `)) || undefined,
  };
}
