/** Lets the browser draw, and respond to keys and clicks, before what follows. */
export const nextTask = () => new Promise<void>((resolve) => setTimeout(resolve));
