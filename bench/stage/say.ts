/** Words for whoever watches; standard output is kept for results. */
export const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};
