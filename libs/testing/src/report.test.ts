const { problemsOf } = require('./report.cjs');

it('a run may have a tenth more cases and programs than is stored', () => {
  const size = { cases: 100, programs: 10 };
  expect(problemsOf(size, { cases: 110, programs: 11 })).toEqual([]);
  expect(problemsOf(size, { cases: 111, programs: 12 })).toEqual([
    'npm test has 111 cases, and test/size.json allows a tenth more than 100',
    'npm test has 12 programs, and test/size.json allows a tenth more than 10',
  ]);
});
