import { Link } from '@tanstack/react-router'
import { Button } from '../../../components/controls/Button.js'
import { shortened } from '../../../components/values/Copyable.js'
import { texts } from '../../../texts/texts.js'
import { CommandButton, REASON } from '../parts/CommandDialog.js'
import { parkedHref } from '../parts/hrefs.js'
import { moneyText } from '../parts/moneyText.js'
import type { RequestExplanation } from './explanation.js'

const words = texts.console.explain
const TYPED = 6

/** Only an operator's refund leaves the status `failure`. */
export const RefundRequest = ({
  request: { requestId, quote, deposits },
}: {
  readonly request: RequestExplanation
}) => {
  const [deposit] = deposits
  return (
    <div className="row">
      <CommandButton
        text={words.refund}
        kind="primary"
        title={`${words.refund}: ${shortened(requestId)}`}
        effect={({ to = '' }) => (
          <>
            {words.refundEffect(
              deposit === undefined ? words.theMoney : moneyText(deposit.money),
              to.trim() === '' ? (quote.refundTo ?? words.usualRefund) : to.trim(),
            )}{' '}
            {texts.console.action.lastCharacters(TYPED, texts.console.parts.requestId)}
          </>
        )}
        fields={[{ name: 'to', label: texts.console.parked.to, hint: texts.console.parked.toHint }, REASON]}
        call={({ to = '', reason = '' }) => ({
          name: 'refund',
          arguments: [requestId],
          options: { to: to.trim(), reason },
        })}
        retype={() => requestId.slice(-TYPED)}
        confirmWith={() => requestId}
        confirm={texts.console.parked.refund}
      />
      {deposit !== undefined && (
        <Button asChild>
          <Link to={parkedHref(deposit.id)}>{words.itsDeposit}</Link>
        </Button>
      )}
    </div>
  )
}
