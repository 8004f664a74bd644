import { Box, Button } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '../texts';

/** A text to copy that is shown once. */
export function Secret({ text, label }: { text: string; label: string }) {
  const { copy, copied } = useTexts();
  const [done, setDone] = useState(false);
  const take = async () => {
    await navigator.clipboard.writeText(text);
    setDone(true);
  };
  return (
    <>
      <Box
        component="output"
        className="secret mono"
        p="10px 12px"
        bd="1px solid var(--line-strong)"
        bdrs={6}
        bg="var(--rail)"
        style={{ overflowWrap: 'anywhere', userSelect: 'all' }}
        aria-label={label}
      >
        {text}
      </Box>
      <Button variant="default" onClick={() => void take()}>
        {done ? copied : copy}
      </Button>
    </>
  );
}
