import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Button } from '../../../components/controls/Button.js'
import { Notice } from '../../../components/feedback/Notice.js'
import { Loaded } from '../../../components/feedback/States.js'
import { StatusBadge } from '../../../components/values/Badge.js'
import { Copyable } from '../../../components/values/Copyable.js'
import { Time } from '../../../components/values/Time.js'
import { PageHead } from '../../../shell/PageHead.js'
import { consoleTexts } from '../../../texts/consoleTexts.js'
import { readCommand } from '../commands.js'
import { Card, Fact } from '../parts/Card.js'
import { Crumb } from '../parts/Crumb.js'
import { explainHref } from '../parts/hrefs.js'
import { Explained, OnChain } from '../parts/Ids.js'
import { Money, MoneyOn } from '../parts/money/Money.js'
import { isZero } from '../parts/money/shownMoney.js'
import { ParkedActions } from './ParkedActions.js'
import type { ParkedDeposit } from './parkedDeposit.js'

const words = consoleTexts.parked

const Facts = ({ deposit }: { readonly deposit: ParkedDeposit }) => {
  const { chainId, txId, position, depositor, orderId, requestId, requestStatus, refundTo, recoveryAddress } = deposit
  return (
    <Card title={words.facts}>
      <dl className="facts">
        <Fact name={words.money}>
          <Money money={deposit.parked} /> {words.of} <MoneyOn money={deposit.deposited} />
        </Fact>
        <Fact name={words.why}>{deposit.reason}</Fact>
        <Fact name={words.state}>
          {deposit.state}, <Time at={deposit.seenAt} />
        </Fact>
        <Fact name={words.transaction}>
          <OnChain chainId={chainId} what="transaction" id={txId} />
        </Fact>
        {position > 0 && <Fact name={words.position}>{position}</Fact>}
        <Fact name={words.from}>
          <OnChain chainId={chainId} what="address" id={depositor} />
        </Fact>
        <Fact name={words.orderId}>
          {orderId === null ? words.none : <Copyable text={orderId} what={consoleTexts.parts.orderId} short />}
        </Fact>
        {requestId !== null && (
          <Fact name={words.request}>
            <span className="row">
              <Explained id={requestId} />
              {requestStatus !== null && <StatusBadge status={requestStatus} />}
            </span>
          </Fact>
        )}
        {refundTo !== null && (
          <Fact name={words.refundTo}>
            <OnChain chainId={chainId} what="address" id={refundTo} />
          </Fact>
        )}
        {recoveryAddress !== null && (
          <Fact name={words.recovery}>
            <OnChain chainId={chainId} what="address" id={recoveryAddress} />
          </Fact>
        )}
      </dl>
    </Card>
  )
}

const PaidBy = ({ deposit: { paidBy } }: { readonly deposit: ParkedDeposit }) => {
  if (paidBy.length === 0) return null
  return (
    <Notice tone="warn">
      <div className="tight">
        <strong>{words.paidBy}</strong>
        <span>{words.paidByLead}</span>
        <ul className="tight">
          {paidBy.map(({ txId, chainId, paid, recipient }) => (
            <li key={txId} className="row">
              <OnChain chainId={chainId} what="transaction" id={txId} />
              <MoneyOn money={paid} />
              <OnChain chainId={chainId} what="address" id={recipient} />
            </li>
          ))}
        </ul>
      </div>
    </Notice>
  )
}

/** One parked deposit, and what can be done about it. */
export const ParkedView = ({ number }: { readonly number: string }) => {
  const query = useQuery(readCommand<{ readonly deposit: ParkedDeposit }>({ name: 'parked show', arguments: [number] }))
  const deposit = query.data?.deposit
  const waits = deposit !== undefined && !isZero(deposit.parked.amount)
  return (
    <>
      <PageHead
        title={words.deposit(number)}
        lead={deposit?.reason}
        crumb={<Crumb href="/console/parked" text={words.back} />}
      >
        <Button asChild>
          <Link to={explainHref(`deposit:${number}`)}>{words.explain}</Link>
        </Button>
      </PageHead>
      <Loaded query={query} lines={8}>
        {(data) => (
          <>
            <PaidBy deposit={data.deposit} />
            <Facts deposit={data.deposit} />
            {waits ? <ParkedActions deposit={data.deposit} /> : <Notice tone="good">{words.nothingLeft}</Notice>}
          </>
        )}
      </Loaded>
    </>
  )
}
