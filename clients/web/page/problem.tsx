/** A problem, which screen readers read out at once. Nothing without a text. */
export const ProblemNote = ({ text }: { text: string | undefined }) =>
  text ? (
    <p class="note bad" role="alert">
      {text}
    </p>
  ) : null;
