import { Link } from '@tanstack/react-router'
import { Copyable, shortened } from '../../../components/values/Copyable.js'
import { consoleTexts } from '../../../texts/consoleTexts.js'
import { explainHref } from './hrefs.js'
import { useExplorer } from './useChains.js'

/** A transaction or address of a chain, with its explorer where it has one. */
export const OnChain = ({
  chainId,
  what,
  id,
  short = true,
}: {
  readonly chainId: number
  readonly what: 'transaction' | 'address'
  readonly id: string
  readonly short?: boolean
}) => <Copyable text={id} what={consoleTexts.parts[what]} short={short} href={useExplorer()(chainId, what, id)} />

/** An id that leads to all that is known of it. */
export const Explained = ({ id, text }: { readonly id: string; readonly text?: string }) => (
  <Link to={explainHref(id)} className={text === undefined ? 'mono cut' : 'cut'} title={id}>
    {text ?? shortened(id)}
  </Link>
)
