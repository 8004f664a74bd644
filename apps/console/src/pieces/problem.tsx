import { Box, Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { NoAnswer, nameOfField, StartlineError } from '../api';
import { useLanguage, useTexts } from '../texts';
import type { Texts } from '../texts/en';
import { Icon } from './icons';

type Words = Texts['problems'];

/** Its message is for the reader: what went wrong, and the next step. */
export class Explained extends Error {
  override readonly name = 'Explained';
}

/** The problem and the next step, by the status of the response. */
function wordsOf(error: Error, words: Words): { title: string; advice?: string } {
  if (error instanceof Explained) return { title: error.message };
  if (error instanceof NoAnswer) return { title: words.offline, advice: words.offlineAdvice };
  if (!(error instanceof StartlineError)) return { title: words.failed, advice: words.failedAdvice };
  const { status, retryAfter } = error;
  if (status === 400 || status === 413) return { title: words.badRequest, advice: words.badRequestAdvice };
  if (status === 401 || status === 403) return { title: words.forbidden, advice: words.forbiddenAdvice };
  if (status === 404) return { title: words.notFound, advice: words.notFoundAdvice };
  if (status === 409) return { title: words.conflict, advice: words.conflictAdvice };
  if (status === 429) return { title: words.tooMany, advice: words.tooManyAdvice(retryAfter ?? 60) };
  if (status === 503) return { title: words.unavailable, advice: words.unavailableAdvice };
  return { title: words.unexpected, advice: words.unexpectedAdvice };
}

/** What went wrong, and the next step. */
export const Alert = ({
  title,
  page,
  children,
}: {
  title?: ReactNode;
  page?: boolean;
  children: ReactNode;
}) => (
  <Box className="problem" {...(page && { maw: 520, m: '15vh auto' })} role="alert">
    <Icon name="warning" />
    <div>
      {title && <h2>{title}</h2>}
      {children}
    </div>
  </Box>
);

const SHOWN = 8;

interface ProblemProps {
  error: Error;
  /** Replaces a whole page. */
  page?: boolean;
  title?: string;
  retry?: () => void;
}

export function Problem({ error, page, title, retry }: ProblemProps) {
  const { problems: words } = useTexts();
  const { language } = useLanguage();
  /** The sentences of the server are English, and say more than their codes. */
  const said = (problem: (typeof problems)[number]) => {
    const text = language === 'en' ? undefined : words.codes[problem.code];
    if (!text) return problem.message;
    const field = problem.path.replace(/^\w+\[\d+\]\.?/, '');
    return (
      <span title={problem.message}>
        {field && `${nameOfField(field, language)}: `}
        {text}
      </span>
    );
  };
  const { title: usual, advice = title && usual } = wordsOf(error, words);
  const answer = error instanceof StartlineError ? error : undefined;
  const problems = answer?.problems ?? [];
  return (
    <Alert title={title ?? usual} page={page}>
      {problems.length > 0 ? (
        <ul>
          {problems.slice(0, SHOWN).map((problem) => (
            <li key={`${problem.row} ${problem.path} ${problem.code}`}>
              {problem.row != null && `${words.row(problem.row + 1)}: `}
              {said(problem)}
            </li>
          ))}
          {problems.length > SHOWN && <li>{words.more(problems.length - SHOWN)}</li>}
        </ul>
      ) : (
        // Of what is not found, the server knows no more than the title says.
        answer && answer.status !== 404 && <p lang="en">{answer.message}</p>
      )}
      {advice && <p>{advice}</p>}
      {answer && answer.status >= 500 && answer.requestId && (
        <p className="mono">{words.requestId(answer.requestId)}</p>
      )}
      {retry && (
        <Button variant="default" size="xs" onClick={retry}>
          {words.retry}
        </Button>
      )}
    </Alert>
  );
}
