declare module 'cluster-key-slot' {
  /** The slot, of 16,384, to which Redis Cluster assigns a key. */
  export default function keySlot(key: string): number;
}
