import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Dialog } from '../pieces/confirm';
import { Icon } from '../pieces/icons';
import { useTexts } from '../texts';
import { canScan, scan } from './barcodes';

/** Reads a code with the camera. Where the browser cannot, there is no button. */
export function ScanCode({ onCode }: { onCode(code: string): void }) {
  const { desk } = useTexts();
  const [open, setOpen] = useState(false);
  const { data: able } = useQuery({
    queryKey: ['can-scan'],
    queryFn: canScan,
    staleTime: Number.POSITIVE_INFINITY,
    networkMode: 'always',
    retry: false,
  });
  if (!able) return null;
  return (
    <>
      <Button size="lg" variant="default" leftSection={<Icon name="scan" />} onClick={() => setOpen(true)}>
        {desk.scan}
      </Button>
      {open && (
        <Camera
          onCode={(code) => {
            setOpen(false);
            onCode(code);
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

function Camera({ onCode, onClose }: { onCode(code: string): void; onClose(): void }) {
  const { desk } = useTexts();
  const video = useRef<HTMLVideoElement>(null);
  const [failed, setFailed] = useState(false);
  const found = useRef(onCode);
  found.current = onCode;
  useEffect(() => {
    const closed = new AbortController();
    const look = async () => {
      const code = video.current && (await scan(video.current, closed.signal));
      if (code && !closed.signal.aborted) found.current(code);
    };
    look().catch(() => {
      if (!closed.signal.aborted) setFailed(true);
    });
    return () => closed.abort();
  }, []);
  return (
    <Dialog title={desk.scan} onClose={onClose}>
      {failed ? (
        <div className="problem" role="alert">
          <Icon name="warning" />
          <div>
            <h2>{desk.noCamera}</h2>
            <p>{desk.noCameraAdvice}</p>
          </div>
        </div>
      ) : (
        <>
          <video ref={video} className="camera" muted playsInline aria-label={desk.camera} />
          <p className="dim">{desk.scanHelp}</p>
        </>
      )}
    </Dialog>
  );
}
