import { type ReactNode, useId } from 'react';
import { Mark } from '../pieces/icons';
import { usePageTitle } from '../pieces/page';
import { useTexts } from '../texts';

/** The page for visitors who are not signed in. */
export function Entrance({ title, children }: { title: string; children: ReactNode }) {
  const { product } = useTexts();
  const id = useId();
  usePageTitle(title);
  return (
    <main className="entrance" aria-labelledby={id}>
      <div className="entrance-brand">
        <Mark /> {product}
      </div>
      <div className="entrance-card">
        <h1 id={id}>{title}</h1>
        {children}
      </div>
    </main>
  );
}
