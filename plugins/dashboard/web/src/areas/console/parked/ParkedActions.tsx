import { shortened } from '../../../components/values/Copyable.js'
import { consoleTexts } from '../../../texts/consoleTexts.js'
import { CommandButton, type CommandField, REASON } from '../parts/CommandDialog.js'
import { moneyText } from '../parts/money/moneyText.js'
import { useChainName } from '../parts/useChains.js'
import type { ParkedDeposit } from './parkedDeposit.js'

const words = consoleTexts.parked

/** Where a refund goes unless the operator says another place, in the words of the README. */
const usualRecipient = ({ refundTo, recoveryAddress, depositor, requestId }: ParkedDeposit): string => {
  if (refundTo !== null) return words.refundAddress(refundTo)
  if (recoveryAddress !== null) return words.recoveryAddress(recoveryAddress)
  return requestId === null ? words.depositor(depositor) : consoleTexts.explain.usualRefund
}

const closeFields = ({ paidBy }: ParkedDeposit): readonly CommandField[] => {
  const [first] = paidBy
  const field = { name: 'tx', label: words.paidByField, needed: true } as const
  if (first === undefined) return [field, REASON]
  const choices = paidBy.map(({ txId, paid }) => ({ value: txId, text: `${shortened(txId)} · ${moneyText(paid)}` }))
  return [{ ...field, kind: 'choice', choices, first: first.txId }, REASON]
}

const Refund = ({ deposit }: { readonly deposit: ParkedDeposit }) => {
  const chain = useChainName()(deposit.chainId)
  const { depositId } = deposit
  return (
    <CommandButton
      text={words.refund}
      kind="primary"
      title={words.refundTitle(depositId)}
      effect={({ to = '' }) =>
        words.refundEffect(moneyText(deposit.parked), chain, to.trim() === '' ? usualRecipient(deposit) : to.trim())
      }
      fields={[{ name: 'to', label: words.to, hint: words.toHint }, REASON]}
      call={({ to = '', reason = '' }) => ({
        name: 'parked refund',
        arguments: [depositId],
        options: { to: to.trim(), reason },
      })}
      retype={() => depositId}
      confirm={words.refund}
    />
  )
}

const Assign = ({ deposit }: { readonly deposit: ParkedDeposit }) => (
  <CommandButton
    text={words.assign}
    title={words.assignTitle(deposit.depositId)}
    effect={() => words.assignEffect(moneyText(deposit.parked), deposit.depositor)}
    fields={[{ name: 'request', label: words.requestField, hint: words.requestHint, needed: true }, REASON]}
    call={({ request = '', reason = '' }) => ({
      name: 'parked assign',
      arguments: [deposit.depositId],
      options: { request: request.trim(), reason },
    })}
    retype={() => deposit.depositId}
    confirm={words.assign}
  />
)

const Close = ({ deposit }: { readonly deposit: ParkedDeposit }) => (
  <CommandButton
    text={words.close}
    kind={deposit.paidBy.length > 0 ? 'primary' : 'danger'}
    title={words.closeTitle(deposit.depositId)}
    effect={() => words.closeEffect(moneyText(deposit.parked))}
    fields={closeFields(deposit)}
    call={({ tx = '', reason = '' }) => ({
      name: 'parked close',
      arguments: [deposit.depositId],
      options: { 'paid-by': tx.trim(), reason },
    })}
    retype={() => deposit.depositId}
    confirm={words.close}
    danger
  />
)

const Recover = ({ deposit, to }: { readonly deposit: ParkedDeposit; readonly to: string }) => {
  const chain = useChainName()(deposit.chainId)
  return (
    <CommandButton
      text={words.recover}
      title={words.recoverTitle(deposit.depositId)}
      effect={() => words.recoverEffect(moneyText(deposit.parked), chain, to)}
      fields={[REASON]}
      call={({ reason = '' }) => ({
        name: 'deposit-addresses recover',
        arguments: [deposit.depositId],
        options: { reason },
      })}
      retype={() => deposit.depositId}
      confirm={words.recover}
    />
  )
}

/** Decisions about a parked deposit. One that was paid can only be closed: the service refuses to pay it again. */
export const ParkedActions = ({ deposit }: { readonly deposit: ParkedDeposit }) => (
  <div className="row">
    {deposit.paidBy.length === 0 && <Refund deposit={deposit} />}
    {deposit.paidBy.length === 0 && <Assign deposit={deposit} />}
    <Close deposit={deposit} />
    {deposit.paidBy.length === 0 && deposit.recoveryAddress !== null && (
      <Recover deposit={deposit} to={deposit.recoveryAddress} />
    )}
  </div>
)
