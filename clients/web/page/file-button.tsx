/** Files that a person chooses: the button, and the bytes. */
import { useRef } from 'preact/hooks';
import { ownText } from '../../typescript/export/own-text.ts';

interface Props {
  children: string;
  /** The name of the field behind the button. */
  label: string;
  accept: string;
  multiple?: boolean;
  class?: string;
  /** Called with at least one file. */
  onChoose: (files: [File, ...File[]]) => void;
}

/** A button that opens the browser's choice of files. */
export function FileButton({ children, label, accept, multiple, onChoose, ...rest }: Props) {
  const field = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" class={rest.class} onClick={() => field.current?.click()}>
        {children}
      </button>
      <input
        ref={field}
        type="file"
        multiple={multiple}
        accept={accept}
        aria-label={label}
        tabIndex={-1}
        class="sr-only"
        onChange={({ currentTarget }) => {
          const [first, ...others] = currentTarget.files ?? [];
          // The same file can then be chosen again.
          currentTarget.value = '';
          if (first) onChoose([first, ...others]);
        }}
      />
    </>
  );
}

/** The bytes of a text file that a person chooses. Undefined if it is too large or not in UTF-8, or if the browser cannot read it. */
export async function textBytes(file: File, bytesMax: number): Promise<Uint8Array | undefined> {
  if (file.size > bytesMax) return undefined;
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    ownText(bytes);
    return bytes;
  } catch {
    return undefined;
  }
}
