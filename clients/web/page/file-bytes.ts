/** The bytes of a file that a person chooses. Undefined if it is too large, or if the browser cannot read it. */
export async function fileBytes(file: File, bytesMax: number): Promise<Uint8Array | undefined> {
  if (file.size > bytesMax) return undefined;
  try {
    return new Uint8Array(await file.arrayBuffer());
  } catch {
    return undefined;
  }
}
