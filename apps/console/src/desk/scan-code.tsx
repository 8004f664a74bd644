import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { Dialog, Icon } from '../pieces';
import { useTexts } from '../texts';
import { canScan, scan } from './barcodes';

/** Reads a code with the camera. Pages that may use none have no button. */
export function ScanCode({ onCode }: { onCode(code: string): void }) {
  const { desk } = useTexts();
  const [open, setOpen] = useState(false);
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
  const [failed, setFailed] = useState(false);
  const take = useRef(onCode);
  take.current = onCode;
  useEffect(() => {
    const closed = new AbortController();
    const look = async () => {
      const code = video.current && (await scan(video.current, closed.signal));
      if (code && !closed.signal.aborted) take.current(code);
    };
    look().catch(() => {
      if (!closed.signal.aborted) setFailed(true);
    });
    return () => closed.abort();
  }, []);
  if (failed) {
    return (
      <div className="problem" role="alert">
        <Icon name="warning" />
        <div>
          <h2>{desk.noCamera}</h2>
          <p>{desk.noCameraAdvice}</p>
        </div>
      </div>
    );
  }
  return (
    <>
      <video ref={video} className="camera" muted playsInline aria-label={desk.camera} />
      <p className="dim">{desk.scanHelp}</p>
    </>
  );
}
