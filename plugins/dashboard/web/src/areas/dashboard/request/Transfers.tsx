import { Badge, type Tone } from '../../../components/values/Badge.js'
import { Copyable } from '../../../components/values/Copyable.js'
import { Time } from '../../../components/values/Time.js'
import { dashboardTexts } from '../../../texts/dashboardTexts.js'
import { useChains } from '../data/chains.js'
import type { MemberRequest, Money, Transaction } from './memberRequest.js'
import { ShownAmount } from './ShownAmount.js'

const words = dashboardTexts.request

const TONES: Readonly<Record<string, Tone>> = {
  final: 'good',
  included: 'good',
  confirmed: 'good',
  reverted: 'bad',
  rejected: 'bad',
  reorged: 'bad',
  failed: 'bad',
  dead: 'bad',
  abandoned: 'bad',
  broadcast: 'busy',
}

const State = ({ state }: { readonly state: string }) => (
  <Badge tone={TONES[state] ?? 'plain'}>{words.states[state] ?? state}</Badge>
)

/** Deposits and payments with their transactions. */
export const Transfers = ({ request: { deposits, payments } }: { readonly request: MemberRequest }) => (
  <>
    <section className="card" aria-label={words.deposits}>
      <h2>{words.deposits}</h2>
      {deposits.length === 0 && <p className="soft">{words.noDeposits}</p>}
      {deposits.map((deposit) => (
        <Move key={deposit.txId} money={deposit.money} state={deposit.state} who={deposit.depositor} txs={[deposit]} />
      ))}
    </section>
    {payments.length > 0 && (
      <section className="card" aria-label={words.out}>
        <h2>{words.out}</h2>
        {payments.map(({ purpose, money, state, recipient, failReason, transactions, createdAt }) => (
          <Move
            key={`${purpose} ${createdAt} ${recipient}`}
            title={words.purposes[purpose] ?? purpose}
            money={money}
            state={state}
            who={recipient}
            txs={transactions}
            trouble={failReason}
          />
        ))}
      </section>
    )}
  </>
)

interface MoveProps {
  readonly title?: string
  readonly money: Money
  readonly state: string
  readonly who: string
  readonly txs: readonly Transaction[]
  readonly trouble?: string | null
}

const Move = ({ title, money, state, who, txs, trouble = null }: MoveProps) => {
  const { nameOf } = useChains()
  return (
    <div className="tight move">
      <div className="row between">
        <ShownAmount money={money} />
        <State state={state} />
      </div>
      <span className="small soft">
        {title !== undefined && `${title} · `}
        {nameOf(money.chainId)}
      </span>
      <Copyable text={who} what={title === undefined ? words.names.user : words.names.recipient} short />
      {trouble !== null && <span className="small wrap soft">{trouble}</span>}
      {txs.map(({ txId, explorerUrl, sentAt, state: txState }) => (
        <div key={txId} className="row between small">
          <Copyable text={txId} what={words.transaction} short href={explorerUrl} />
          <span className="soft">
            {txs.length > 1 && `${words.states[txState] ?? txState} · `}
            {sentAt !== null && <Time at={sentAt} />}
          </span>
        </div>
      ))}
    </div>
  )
}
