import { useTexts } from '../texts';
import { Empty, Page } from './page';

/** Instead of a page that the role of the member can't use. */
export function Forbidden() {
  const { problems } = useTexts();
  return (
    <Page title={problems.forbidden}>
      <Empty title={problems.forbiddenPage}>{problems.forbiddenAdvice}</Empty>
    </Page>
  );
}

export function Missing() {
  const { problems } = useTexts();
  return (
    <Page title={problems.notFound}>
      <Empty title={problems.notFound}>{problems.notFoundAdvice}</Empty>
    </Page>
  );
}
