/** Prints closed disclosures with their content, and closes them again. */
import { useEffect } from 'preact/hooks';

/** @param selector of `details` elements */
export function useOpenForPrint(selector: string): void {
  useEffect(() => {
    let opened: HTMLDetailsElement[] = [];
    const open = () => {
      opened = [...document.querySelectorAll<HTMLDetailsElement>(selector)].filter((each) => !each.open);
      for (const each of opened) each.open = true;
    };
    const close = () => {
      for (const each of opened) each.open = false;
    };
    addEventListener('beforeprint', open);
    addEventListener('afterprint', close);
    return () => {
      removeEventListener('beforeprint', open);
      removeEventListener('afterprint', close);
    };
  }, [selector]);
}
