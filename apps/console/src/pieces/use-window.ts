import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** Rows beyond the edges of the frame, so that fast scrolling shows rows. */
const BEYOND = 8;
/** Until a row has been measured. */
const USUAL = 56;

interface Visible {
  frame: RefObject<HTMLDivElement | null>;
  first: number;
  /** After the last one. */
  end: number;
  /** The height of a row. */
  height: number;
  /** Scrolls until a row is fully visible below the header. */
  show(row: number): void;
}

/** The rows of a long list that a scrolling frame shows. All rows have the same height, which is measured (`data-row`). */
export function useWindow(count: number): Visible {
  const frame = useRef<HTMLDivElement>(null);
  const [height, setHeight] = useState(USUAL);
  const [view, setView] = useState({ top: 0, size: 900 });
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return;
    const read = () => {
      setView({ top: element.scrollTop, size: element.clientHeight });
      const row = element.querySelector('[data-row]')?.getBoundingClientRect().height;
      if (row) setHeight(row);
    };
    const observer = new ResizeObserver(read);
    observer.observe(element);
    element.addEventListener('scroll', read, { passive: true });
    read();
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', read);
    };
  }, []);
  const first = Math.max(0, Math.min(Math.floor(view.top / height) - BEYOND, count - 1));
  const end = Math.min(count, Math.ceil((view.top + view.size) / height) + BEYOND);
  const show = (row: number) => {
    const element = frame.current;
    if (!element) return;
    const header = element.querySelector('thead')?.getBoundingClientRect().height ?? 0;
    const above = row * height;
    const below = above + height + header - element.clientHeight;
    if (element.scrollTop > above) element.scrollTop = above;
    else if (element.scrollTop < below) element.scrollTop = below;
  };
  return { frame, first, end, height, show };
}
