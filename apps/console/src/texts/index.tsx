import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { de } from './de';
import { en, type Texts } from './en';

const LANGUAGES = { en, de } as const;
export type Language = keyof typeof LANGUAGES;
export const LANGUAGE_NAMES: Record<Language, string> = { en: 'English', de: 'Deutsch' };

const STORED = 'startline.language';

interface Spoken {
  language: Language;
  texts: Texts;
  speak(language: Language): void;
}

const Context = createContext<Spoken>({ language: 'en', texts: en, speak: () => {} });

const isLanguage = (name: string | null | undefined): name is Language =>
  name !== null && name !== undefined && name in LANGUAGES;

function firstLanguage(): Language {
  const stored = localStorage.getItem(STORED);
  if (isLanguage(stored)) return stored;
  return navigator.languages.map((tag) => tag.slice(0, 2)).find(isLanguage) ?? 'en';
}

export function TextsProvider({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState(firstLanguage);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  const spoken = useMemo(
    () => ({
      language,
      texts: LANGUAGES[language],
      speak(next: Language) {
        localStorage.setItem(STORED, next);
        setLanguage(next);
      },
    }),
    [language],
  );
  return <Context value={spoken}>{children}</Context>;
}

export const useTexts = (): Texts => useContext(Context).texts;
export const useLanguage = (): Spoken => useContext(Context);
