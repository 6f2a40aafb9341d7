/** Listens to an event of the window. @returns ends it */
export function onWindow<Type extends keyof WindowEventMap>(
  type: Type,
  listener: (event: WindowEventMap[Type]) => void,
): () => void {
  addEventListener(type, listener);
  return () => removeEventListener(type, listener);
}
