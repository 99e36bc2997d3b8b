/** A text of any length in a cell of a list: two small lines of it, and the whole on hover. */
export const TwoLines = ({ text }: { readonly text: string }) => (
  <span className="two-lines" title={text}>
    {text}
  </span>
)
