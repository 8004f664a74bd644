import { useTexts } from '../texts';
import { Empty, Page } from './page';

export function Missing() {
  const { problems } = useTexts();
  return (
    <Page title={problems.notFound}>
      <Empty title={problems.notFound}>{problems.notFoundAdvice}</Empty>
    </Page>
  );
}
