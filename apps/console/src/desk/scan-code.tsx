import { Box, Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { Alert, Dialog, Icon } from '../pieces';
import { useTexts } from '../texts';
import { canScan, type Detector, detector, scan } from './barcodes';

/** Reads a code with the camera. Pages that may use none have no button. */
export function ScanCode({ onCode }: { onCode(code: string): void }) {
  const { desk } = useTexts();
  const [open, setOpen] = useState(false);
  // The desk can lose its connection before the first scan.
  useEffect(() => {
    if (canScan()) detector().catch(() => {});
  }, []);
  if (!canScan()) return null;
  const take = (code: string) => {
    setOpen(false);
    onCode(code);
  };
  return (
    <>
      <Button size="lg" variant="default" leftSection={<Icon name="scan" />} onClick={() => setOpen(true)}>
        {desk.scan}
      </Button>
      {open && (
        <Dialog title={desk.scan} onClose={() => setOpen(false)}>
          <Camera onCode={take} />
        </Dialog>
      )}
    </>
  );
}

/** Looks for a code from when it is mounted, inside the dialog, until it is removed. */
function Camera({ onCode }: { onCode(code: string): void }) {
  const { desk } = useTexts();
  const video = useRef<HTMLVideoElement>(null);
  const [failure, setFailure] = useState<keyof typeof desk.failures>();
  const take = useRef(onCode);
  take.current = onCode;
  useEffect(() => {
    const closed = new AbortController();
    const fail = (reason: keyof typeof desk.failures) => !closed.signal.aborted && setFailure(reason);
    const look = async (detecting: Detector) => {
      const code = video.current && (await scan(video.current, detecting, closed.signal));
      if (code && !closed.signal.aborted) take.current(code);
    };
    detector().then(
      (detecting) => look(detecting).catch(() => fail('camera')),
      () => fail('scanner'),
    );
    return () => closed.abort();
  }, []);
  if (failure) {
    const [title, advice] = desk.failures[failure];
    return (
      <Alert title={title}>
        <p>{advice}</p>
      </Alert>
    );
  }
  return (
    <>
      <Box
        component="video"
        ref={video}
        display="block"
        w="100%"
        bdrs={8}
        bg="#000"
        style={{ aspectRatio: '4 / 3', objectFit: 'cover' }}
        muted
        playsInline
        aria-label={desk.camera}
      />
      <p className="dim">{desk.scanHelp}</p>
    </>
  );
}
