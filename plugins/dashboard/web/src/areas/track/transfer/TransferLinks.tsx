import { Copyable } from '../../../components/values/Copyable.js'
import { trackTexts } from '../../../texts/trackTexts.js'
import { chainNames, type Transfer, type TransferLink } from './transfer.js'

const List = ({ title, links }: { readonly title: string; readonly links: readonly TransferLink[] }) => (
  <>
    <dt className="wrap">{title}</dt>
    <dd className="tight">
      {links.length === 0 && <span className="faint">{trackTexts.noTransactions}</span>}
      {links.map(({ txHash, explorerUrl }) => (
        <Copyable key={txHash} text={txHash} what={trackTexts.hash} href={explorerUrl} short />
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
      {links.payment !== null && <List title={trackTexts.payment(from)} links={[links.payment]} />}
      <List title={trackTexts.transactionsIn(from)} links={links.in} />
      {(isBack || status !== 'failure' || links.out.length > 0) && (
        <List title={isBack ? trackTexts.transactionsBack(from) : trackTexts.transactionsOut(to)} links={links.out} />
      )}
    </dl>
  )
}
