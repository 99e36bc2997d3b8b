import { texts } from '../../texts/texts.js'
import { Copyable } from './Copyable.js'

/** An answer of the API as it is. */
export const Json = ({ value }: { readonly value: unknown }) => {
  const text = JSON.stringify(value, null, 2)
  return (
    <div className="tight">
      <Copyable text={text} shown={texts.data.raw} what={texts.data.raw} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <pre className="code" tabIndex={0}>
        {text}
      </pre>
    </div>
  )
}
