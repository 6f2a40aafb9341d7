/** Computes the value when it is first needed, and keeps it. */
export function lazy<Value>(compute: () => Value): () => Value {
  let computed: { value: Value } | undefined;
  return () => {
    computed ??= { value: compute() };
    return computed.value;
  };
}
