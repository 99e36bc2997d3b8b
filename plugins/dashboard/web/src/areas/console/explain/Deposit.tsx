import { Notice } from '../../../components/feedback/Notice.js'
import { Badge } from '../../../components/values/Badge.js'
import { Json } from '../../../components/values/Json.js'
import { Time } from '../../../components/values/Time.js'
import { consoleTexts } from '../../../texts/consoleTexts.js'
import { Card, Fact } from '../parts/Card.js'
import { OnChain } from '../parts/Ids.js'
import { MoneyOn } from '../parts/money/Money.js'
import type { DepositExplanation } from './explanation.js'
import { Reason } from './Reason.js'

const words = consoleTexts.explain

const Block = ({ deposit: { block, depth } }: { readonly deposit: DepositExplanation }) =>
  block === null ? null : (
    <Fact name={words.block}>
      <span className="number">{block.height}</span>
      {depth !== null && <span className="soft">, {words.depth(depth)}</span>}
    </Fact>
  )

/** One deposit: what came, where it stands, what was decided about it. */
export const Deposit = ({ deposit }: { readonly deposit: DepositExplanation }) => (
  <Card title={words.deposit(deposit.id)} aside={<Badge>{deposit.state}</Badge>}>
    {deposit.reorg !== null && (
      <Notice tone="bad">
        <strong>{words.reorg}</strong>
        <Json value={deposit.reorg} />
      </Notice>
    )}
    <dl className="facts">
      <Fact name={consoleTexts.parts.amount}>
        <MoneyOn money={deposit.money} />
      </Fact>
      <Fact name={words.transaction}>
        <OnChain chainId={deposit.chainId} what="transaction" id={deposit.txId} />
      </Fact>
      <Fact name={words.from}>
        <OnChain chainId={deposit.chainId} what="address" id={deposit.depositor} />
      </Fact>
      <Block deposit={deposit} />
      <Fact name={words.seen}>
        <Time at={deposit.seenAt} />
      </Fact>
      {deposit.outcome !== null && (
        <Fact name={words.outcome}>
          {deposit.outcome}
          {deposit.outcomeReason !== null && (
            <>
              {' '}
              · <Reason code={deposit.outcomeReason} />
            </>
          )}
        </Fact>
      )}
      {deposit.parkedReason !== null && <Fact name={words.parkedReason}>{deposit.parkedReason}</Fact>}
      {deposit.withdrawnAt !== null && (
        <Fact name={words.withdrawn}>
          <Time at={deposit.withdrawnAt} />
        </Fact>
      )}
    </dl>
  </Card>
)
