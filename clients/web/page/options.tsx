/** The options of a drop-down, by their values. */
export const Options = ({ of }: { of: Iterable<readonly [value: string | number, name: string]> }) => (
  <>
    {[...of].map(([value, name]) => (
      <option key={value} value={value}>
        {name}
      </option>
    ))}
  </>
);
