import { Copyable } from '../../../components/values/Copyable.js'
import { texts } from '../../../texts/texts.js'
import { chainNames, type Transfer, type TransferLink } from './transfer.js'

const List = ({ title, links }: { readonly title: string; readonly links: readonly TransferLink[] }) => (
  <>
    <dt className="wrap">{title}</dt>
    <dd className="tight">
      {links.length === 0 && <span className="faint">{texts.track.noTransactions}</span>}
      {links.map(({ txHash, explorerUrl }) => (
        <Copyable key={txHash} text={txHash} what={texts.track.hash} href={explorerUrl} short />
      ))}
    </dd>
  </>
)

/** The transactions of a transfer, each with where people look it up. */
export const TransferLinks = ({ transfer }: { readonly transfer: Transfer }) => {
  const [from, to] = chainNames(transfer)
  const { links, status } = transfer
  const isBack = status === 'refund'
  return (
    <dl className="facts">
      <List title={texts.track.transactionsIn(from)} links={links.in} />
      {(isBack || status !== 'failure' || links.out.length > 0) && (
        <List title={isBack ? texts.track.transactionsBack(from) : texts.track.transactionsOut(to)} links={links.out} />
      )}
    </dl>
  )
}
