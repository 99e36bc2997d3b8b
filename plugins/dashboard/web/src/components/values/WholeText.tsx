import { Fragment } from 'react'
import { amountPieces } from './amountText.js'

/** An exact amount that breaks between groups of digits where its line is too short. */
export const WholeText = ({ text }: { readonly text: string }) => (
  <span className="digits">
    {amountPieces(text).map((piece, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no identity but their position
      <Fragment key={at}>
        {at > 0 && <wbr />}
        {piece}
      </Fragment>
    ))}
  </span>
)
