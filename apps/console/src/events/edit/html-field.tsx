import { Box, Button, Stack, Textarea } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTexts } from '../../texts';
import type { InputProps } from './use-typed';

/** Not in the types of every browser yet. */
interface Policies {
  createPolicy(
    name: string,
    rules: { createHTML(html: string): string },
  ): { createHTML(html: string): unknown };
}

/** The one HTML that the console makes from text: for a frame without scripts, styles, forms and an origin. */
const frames = (window as { trustedTypes?: Policies }).trustedTypes?.createPolicy('startline-preview', {
  createHTML: (html: string) =>
    `<!doctype html><meta http-equiv="content-security-policy" content="default-src 'none'">${html}`,
});

/** A text for visitors, in HTML, which is sanitized when it is stored. */
export function HtmlField({
  value,
  most,
  onChange,
  ...props
}: InputProps & { value: string; most: number; onChange(value: string): void }) {
  const { eventForm: words } = useTexts();
  const [shown, setShown] = useState(false);
  return (
    <Stack gap={8} align="flex-start">
      <Textarea
        {...props}
        w="100%"
        rows={5}
        maxLength={most}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
      {value && (
        <Button variant="default" size="xs" aria-expanded={shown} onClick={() => setShown(!shown)}>
          {shown ? words.hidePreview : words.preview}
        </Button>
      )}
      {shown && value && <Preview title={words.previewOf(props.label)} html={value} />}
    </Stack>
  );
}

function Preview({ title, html }: { title: string; html: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    const text = frames ? frames.createHTML(html) : `<!doctype html>${html}`;
    if (frame.current) frame.current.srcdoc = text as string;
  }, [html]);
  return (
    <Box
      component="iframe"
      ref={frame}
      w="100%"
      h={220}
      bd="1px solid var(--line-strong)"
      bdrs={8}
      bg="#fff"
      style={{ colorScheme: 'light' }}
      title={title}
      sandbox=""
    />
  );
}
