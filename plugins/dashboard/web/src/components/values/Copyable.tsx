import { Check, Copy, ExternalLink } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { texts } from '../../texts/texts.js'

/** The middle of a long id is left out; the whole of it is copied, and read out. */
export const shortened = (text: string, most = 20): string =>
  text.length <= most ? text : `${text.slice(0, Math.ceil(most / 2))}…${text.slice(-Math.floor(most / 2 - 1))}`

export interface CopyableProps {
  readonly text: string
  /** What it is, for whoever listens: `request id`. */
  readonly what: string
  /** In place of the text. */
  readonly shown?: ReactNode
  /** Takes as many lines as it needs instead of being cut. */
  readonly whole?: boolean
  /** The middle is left out; a number says how much stays. */
  readonly short?: boolean | number
  /** Where an explorer shows it; only addresses of the web are linked. */
  readonly href?: string | null
}

const shownText = (text: string, short: boolean | number): string =>
  short === false ? text : shortened(text, short === true ? 20 : short)

const isWeb = (href: string | null | undefined): href is string =>
  typeof href === 'string' && /^https?:\/\//i.test(href)

/** An id, hash or address: shown, copied, and opened in an explorer. */
export const Copyable = ({ text, what, shown, short = false, whole = false, href }: CopyableProps) => {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), 1_500)
  }
  return (
    <span className="copyable">
      <span className={`${shown === undefined ? 'mono ' : ''}${whole ? 'wrap number' : 'cut'}`} title={text}>
        {shown ?? shownText(text, short)}
      </span>
      <button
        type="button"
        onClick={() => void copy().catch(() => undefined)}
        aria-label={isCopied ? texts.data.copied : texts.data.copy(what)}
      >
        {isCopied ? <Check className="icon" aria-hidden /> : <Copy className="icon" aria-hidden />}
      </button>
      {isWeb(href) && (
        <a href={href} target="_blank" rel="noreferrer noopener" aria-label={texts.data.explorer(what)}>
          <ExternalLink className="icon" aria-hidden />
        </a>
      )}
    </span>
  )
}
